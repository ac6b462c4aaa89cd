/** The ids of Earmark's browser extension. Browsers allow no other extension to start `earmark native-host`. */
export const EXTENSION = {
  /** In Chromium-based browsers, which derive it from the `key` in the manifest. */
  chromium: 'knhbjmihjinmdgfcgpbeilpbjndnbpaa',
  /** In Firefox, from the manifest. */
  firefox: 'extension@earmark.app',
  /** A public key whose private key nobody has. It only makes the extension's id the same on all machines. */
  key: [
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlJYlAAPOwFEuMCGHjVQxfpRL5WaPXRJLaJ6vQKdRKCfb7u3dgGZbkA',
    '9pagSLthQfZ90vO3mUdBOSLlk8FjY3APvwrn1X1PPi84zkMyuyUDJcUVy1hjfusPlPto5O/Fn0F0zVJ+tlTWozCCAebLhkKIM6',
    'UojxM2ChW85kNtlSxXyWQUJtGrFf/kIyhHUZ0POJoX6CHv1yH6Ey+cy3VdsnspJ3KlB746iBN9Fn1rd6q2FOvjob8DiMpsyh7Z',
    'jCGDz+REgBd9rZwFtTh+EX5XcFoI8UJfSMZMlXJ9PWEUfGF+OHAPhrLSdmmjd8NIAnHBlnEL6cix37KlGBHgKP+R6hRwIDAQAB'
  ].join('')
} as const

/** The name under which browsers start `earmark native-host`. */
export const NATIVE_HOST = 'app.earmark.host'

/** The extension's token is a hash of this text and the command line's token. */
export const EXTENSION_TOKEN = 'browser extension'
