import type { ConnectRequest, EditorChange, StdioServer } from '../../contract/editor.ts'
import type { OwnProgram } from '../../contract/own-program.ts'
import { Problem } from '../../contract/problem.ts'
import type { Ports } from '../ports.ts'
import { createKey } from './keys.ts'

/** The change of the editor's file, and the key in it; `null` in a dry run, if the real run would create a key. */
export interface ConnectedEditor extends EditorChange {
  key: { id: string; name: string; made: boolean } | null
}

/** Placeholder for the key that a dry run does not create. */
const NEW_KEY = 'NEW-KEY'

/**
 * Adds Earmark to a host's file, as a program that the host starts. If no key is given, uses the active key with the
 * host's name whose secret is stored, or creates a key.
 *
 * @param data the data folder, if it is not the platform's default
 * @throws Problem `not-found` if there is no such host or key, `invalid` if the host's file is invalid
 */
export async function connectEditor(
  ports: Ports,
  id: string,
  { keyId, newKey, keyFile, dryRun }: ConnectRequest,
  { program, data }: { program: OwnProgram; data: string | undefined }
): Promise<ConnectedEditor> {
  const editors = await ports.editors()
  const editor = (await editors.list()).find((listed) => listed.id === id)
  const start = (key: string, secret?: string) => editors.connect(id, serverOf(program, { key, secret, data }), dryRun)
  const key = newKey ? undefined : await findKey(ports, keyId, editor?.name)
  if (key) return { ...(await start(key.id)), key: { id: key.id, name: key.name, made: false } }
  // Problems with the file are reported before a key is created.
  const inFile = dryRun && !keyFile && (await ports.keychain.fault()) !== undefined
  const server = serverOf(program, { key: NEW_KEY, secret: inFile ? NEW_KEY : undefined, data })
  const preview = await editors.connect(id, server, true)
  if (dryRun || !editor) return { ...preview, key: null }
  const created = await createKey(ports, { name: editor.name, readOnly: false, keyFile })
  // Without a keychain, the secret can only be stored in the host's file.
  const change = await start(created.id, created.keychain === 'shown-once' ? created.key : undefined)
  return { ...change, key: { id: created.id, name: editor.name, made: true } }
}

async function findKey({ library, now }: Ports, keyId: string | undefined, name: string | undefined) {
  const keys = await library.listKeys()
  const active = keys.filter(
    ({ revokedAt, expiresAt, keychain }) =>
      revokedAt === null && (expiresAt === null || expiresAt > now()) && keychain !== 'shown-once'
  )
  if (keyId === undefined) return active.findLast((key) => key.name === name)
  const key = active.find(({ id }) => id === keyId)
  if (key) return key
  throw new Problem(
    'not-found',
    `There is no active key with the id ${keyId} whose secret is stored. Create a new one.`
  )
}

function serverOf(
  { command, args }: OwnProgram,
  { key, secret, data }: { key: string; secret?: string | undefined; data: string | undefined }
): StdioServer {
  const folder = data === undefined ? [] : ['--data', data]
  const id = secret === undefined ? ['--key-id', key] : []
  return {
    command,
    args: [...args, 'mcp-stdio', ...id, '--names', 'underscore', ...folder],
    env: secret === undefined ? undefined : { EARMARK_KEY: secret }
  }
}
