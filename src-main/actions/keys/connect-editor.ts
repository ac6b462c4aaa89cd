import type { ConnectRequest, EditorChange, StdioServer } from '../../contract/editor.ts'
import type { OwnProgram } from '../../contract/own-program.ts'
import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'
import { createKey } from './keys.ts'

/** The change that was made, and the key it used; `null` if a dry run would have made a key. */
export interface ConnectedEditor extends EditorChange {
  key: { id: string; name: string; made: boolean } | null
}

/** Placeholder for the key that a dry run does not make. */
const NEW_KEY = 'NEW-KEY'

/**
 * Writes Earmark into a host's own file, as a program the host starts. Without a key that is named, the host gets the
 * living one that carries its name and whose secret is kept, or else a new one.
 *
 * @param data the data folder, where it is not the platform's own
 * @throws Problem `not-found` when there is no such host or key, `invalid` when its file is not what the host could read
 */
export async function connectEditor(
  ports: Ports,
  id: string,
  { keyId, newKey, keyFile, dryRun }: ConnectRequest,
  { program, data }: { program: OwnProgram; data: string | undefined }
): Promise<ConnectedEditor> {
  const editors = await ports.editors()
  const editor = (await editors.list()).find((one) => one.id === id)
  const start = (key: string, secret?: string) => editors.connect(id, serverOf(program, { key, secret, data }), dryRun)
  const known = newKey ? undefined : await findKey(ports, keyId, editor?.name)
  if (known) return { ...(await start(known.id)), key: { id: known.id, name: known.name, made: false } }
  // Whatever is wrong with the file is told before a key is made.
  const inFile = dryRun && !keyFile && (await ports.keychain.fault()) !== undefined
  const server = serverOf(program, { key: NEW_KEY, secret: inFile ? NEW_KEY : undefined, data })
  const tried = await editors.connect(id, server, true)
  if (dryRun || !editor) return { ...tried, key: null }
  const made = await createKey(ports, { name: editor.name, readOnly: false, keyFile })
  // Where no keychain answers, the key has no other place than the file of its host.
  const change = await start(made.id, made.keychain === 'shown-once' ? made.key : undefined)
  return { ...change, key: { id: made.id, name: editor.name, made: true } }
}

async function findKey({ library, now }: Ports, keyId: string | undefined, name: string | undefined) {
  const keys = await library.listKeys()
  const living = keys.filter(
    ({ revokedAt, expiresAt, keychain }) =>
      revokedAt === null && (expiresAt === null || expiresAt > now()) && keychain !== 'shown-once'
  )
  if (keyId === undefined) return living.findLast((key) => key.name === name)
  const found = living.find(({ id }) => id === keyId)
  if (found) return found
  throw new Problem(
    'not-found',
    `There is no active key with the id ${keyId} whose secret is stored. Create a new one.`
  )
}

function serverOf(
  { command, args }: OwnProgram,
  { key, secret, data }: { key: string; secret?: string | undefined; data: string | undefined }
): StdioServer {
  const place = data === undefined ? [] : ['--data', data]
  const id = secret === undefined ? ['--key-id', key] : []
  return {
    command,
    args: [...args, 'mcp-stdio', ...id, '--names', 'underscore', ...place],
    env: secret === undefined ? undefined : { EARMARK_KEY: secret }
  }
}
