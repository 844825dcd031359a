# `pip install .`: CMake builds hstar._core with what scripts/install-packages installs; no isolation is needed
# (`pip install --no-build-isolation .` works without a network).
import os
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        target = os.path.abspath(os.path.dirname(self.get_ext_fullpath(ext.name)))
        build = os.path.abspath(self.build_temp)
        subprocess.check_call([
            "cmake", "-S", os.path.dirname(os.path.abspath(__file__)), "-B", build, "-G", "Ninja",
            "-DCMAKE_BUILD_TYPE=Release", "-DHSTAR_PYTHON=ON", "-DHSTAR_TESTS=OFF", "-DHSTAR_TOOL=OFF",
            f"-DPython_EXECUTABLE={sys.executable}",
        ])
        subprocess.check_call(["cmake", "--build", build, "--target", "hstar_python"])
        os.makedirs(target, exist_ok=True)
        core = [f for f in os.listdir(os.path.join(build, "python", "hstar")) if f.startswith("_core")]
        for name in core:
            self.copy_file(os.path.join(build, "python", "hstar", name), os.path.join(target, name))


setup(
    packages=["hstar"],
    package_dir={"hstar": "src/python/hstar"},
    package_data={"hstar": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("hstar._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
