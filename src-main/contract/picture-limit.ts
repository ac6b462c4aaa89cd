/** The largest picture that is kept itself, in bytes. */
export const MOST_PICTURE_BYTES = 10 * 1024 * 1024

/** That limit in words, for whoever has a larger one. */
export const PICTURE_TOO_LARGE = 'A picture has at most 10 MB. Make it smaller, or save its address.'
