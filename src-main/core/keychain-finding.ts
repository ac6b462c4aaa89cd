import type { Finding } from '../contract/doctor.ts'

/** @param fault why the keychain keeps no secret, where it does not */
export function keychainFinding(fault: string | undefined): Finding {
  if (fault === undefined) return { check: 'keychain', state: 'ok', text: 'The keychain stores secrets.' }
  return {
    check: 'keychain',
    state: 'unknown',
    text: `No keychain is available, so new keys are shown once and not stored: ${fault}`,
    advice: 'Unlock or install one, or use: earmark keys create --name NAME --key-file'
  }
}
