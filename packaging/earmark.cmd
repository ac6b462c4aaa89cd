@echo off
rem Starts Earmark's commands where another program reads what they write. Electron for Windows writes an empty line to
rem standard output before any of Earmark's code runs (BasicStartupComplete in electron_main_delegate.cc), so standard
rem output leads nowhere, and standard error to where standard output did. Behind the two dashes an argument like tag:x
rem is no address that Electron refuses to start with (CheckCommandLineArguments in command_line_args.cc).
setlocal
set EARMARK_OUTPUT=stderr
"%~dp0..\Earmark.exe" --log-level=3 -- %* 2>&1 1>nul
exit /b %errorlevel%
