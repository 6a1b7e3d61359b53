# SPDX-License-Identifier: BSD-3-Clause
# Run at every build: writes OUTPUT from TEMPLATE with VERSION and the commit of SOURCE_DIR. The
# file is touched only when it changes.
set(COMMIT unknown)
find_program(git git)
if(git)
  # A tarball unpacked inside another repository must not report that repository's commit.
  execute_process(COMMAND ${git} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH ${SOURCE_DIR} source)
  if(top STREQUAL source)
    execute_process(COMMAND ${git} --no-optional-locks describe --always --dirty --exclude=*
                    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE described
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(described)
      set(COMMIT ${described})
    endif()
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
