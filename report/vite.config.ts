// One script and one style sheet with fixed names; src/report/page.cpp puts both into the page.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    target: "es2022",
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: "src/main.ts",
      output: {
        format: "iife",
        inlineDynamicImports: true,
        entryFileNames: "report.js",
        assetFileNames: "report[extname]",
      },
    },
  },
});
