import type { Finding } from '../contract/doctor.ts'

/** @param works whether the keychain kept a secret */
export function keychainFinding(works: boolean): Finding {
  if (works) return { check: 'keychain', state: 'ok', text: 'The keychain keeps secrets.' }
  return {
    check: 'keychain',
    state: 'unknown',
    text: 'No keychain answers. New keys are shown once and kept nowhere.',
    advice: 'Unlock or install one, or use: earmark keys create --name NAME --key-file'
  }
}
