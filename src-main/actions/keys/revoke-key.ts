import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'
import { forgetSecret } from './keep-secret.ts'

/**
 * Ends a key: its next request is refused. Its secret is removed from the keychain and from its file too, where that
 * is possible.
 *
 * @throws Problem `not-found`
 */
export async function revokeKey(ports: Ports, id: string): Promise<void> {
  if (!(await ports.library.revokeKey(id, ports.now()))) {
    throw new Problem('not-found', `There is no key with the id ${id}.`)
  }
  await forgetSecret(ports, id)
}
