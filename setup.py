# `pip install .` and `pip wheel .`: CMake builds hstar._core and the command with what scripts/install-packages installs,
# in build/wheel, and the wheel takes along the shared libraries that both load. HSTAR_BUILD=build/release takes what is
# built there instead, for this machine only.
import os
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = os.path.dirname(os.path.abspath(__file__))


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        package = os.path.dirname(os.path.abspath(self.get_ext_fullpath(ext.name)))
        build = os.path.abspath(os.environ.get("HSTAR_BUILD", os.path.join(HERE, "build", "wheel")))
        if "HSTAR_BUILD" not in os.environ:
            subprocess.check_call([
                "cmake", "-S", HERE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHSTAR_WHEEL=ON",
                "-DHSTAR_PYTHON=ON", "-DHSTAR_MPI=OFF", "-DHSTAR_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}",
            ])
        subprocess.check_call(["cmake", "--build", build, "--target", "hstar_python", "hstar_tool"])
        shutil.rmtree(os.path.join(package, "libs"), ignore_errors=True)  # of another build
        subprocess.check_call(["cmake", "--install", build, "--component", "wheel", "--prefix", package, "--strip"])
        # A wheel has no links and would hold each library twice: the name that programs load it by stays.
        libraries = os.path.join(package, "libs")
        for name in os.listdir(libraries) if os.path.isdir(libraries) else []:
            link = os.path.join(libraries, name)
            if os.path.islink(link):
                os.replace(os.path.realpath(link), link)


setup(
    packages=["hstar"],
    package_dir={"hstar": "src/python/hstar"},
    package_data={"hstar": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("hstar._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
