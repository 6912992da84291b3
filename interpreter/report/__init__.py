"""Problems and how they are told: places in files, collecting, near names, formats, hints."""
