"""The command `hstar` of an installed package: the program that is inside it."""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "hstar")
    os.execv(program, [program, *sys.argv[1:]])
