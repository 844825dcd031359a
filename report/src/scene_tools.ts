// Buttons over a scene: picture and video.
import { Clock } from "./clock";
import { element } from "./dom";
import { recordVideo, savePng } from "./save";

/** `draw` paints the scene at once: what WebGL has drawn is there until the next frame only. */
export function sceneTools(canvas: HTMLCanvasElement, clock: Clock, draw: () => void): HTMLElement {
  const png = element("button", { title: "save the scene as a picture", "aria-label": "save the scene as a picture" }, "PNG");
  png.addEventListener("click", () => {
    draw();
    savePng(canvas, "", "scene.png");
  });
  const video = element("button", { title: "record a video of the scene until pressed again", "aria-label": "record a video" }, "video");
  let stop: (() => void) | undefined;
  video.addEventListener("click", () => {
    if (stop) {
      stop();
      stop = undefined;
      clock.pause();
    } else {
      stop = recordVideo(canvas, "scene.webm");
      clock.play();
    }
    video.textContent = stop ? "stop" : "video";
  });
  return element("div", { class: "scene-tools" }, png, video);
}
