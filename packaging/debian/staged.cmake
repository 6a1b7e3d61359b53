# SPDX-License-Identifier: BSD-3-Clause
# cpack runs this file on the tree that it packs next. It changes manuals and changelogs, which
# `cmake --install` leaves as they are, to what Debian's policy demands.
file(GLOB_RECURSE manuals ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/*.1)
set(documents ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/tutti)
file(COPY_FILE ${documents}/CHANGELOG.md ${documents}/changelog)
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/changelog ${documents}/changelog.Debian)
execute_process(COMMAND gzip -9 --no-name ${manuals} ${documents}/changelog
                        ${documents}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
