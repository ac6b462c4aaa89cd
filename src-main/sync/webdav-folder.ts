import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { AuthType, createClient, type FileStat, getPatcher } from 'webdav'
import { Problem } from '../contract/problem.ts'
import { type FileStore, folderFull, MOST_BYTES } from './file-store.ts'

/** A server that takes longer for one file is tried again in the next round, in milliseconds. */
const PATIENCE_MS = 60_000

// All clients fetch through this.
getPatcher().patch('fetch', (...args) => limitedFetch(...(args as Parameters<typeof limitedFetch>)))

/**
 * A folder on a WebDAV server (RFC 4918): Nextcloud, Apache, rclone. The owner gave its address, so it may be on the
 * owner's own network; where it redirects to is not followed.
 *
 * @param address with the user name in it
 * @throws Problem `invalid` where the password is wrong, or would be sent through the internet unencrypted
 */
export async function webdavFolder(address: string, password = '', root: string): Promise<FileStore> {
  const url = URL.parse(address)
  if (!url) throw new Problem('invalid', 'This is not an address.')
  if (url.password !== '') throw new Problem('invalid', 'Give the password by itself, not in the address.')
  const username = decodeURIComponent(url.username)
  url.username = ''
  if (url.protocol === 'http:') await assertNear(url.hostname)
  const client = createClient(url.href, {
    authType: username === '' ? AuthType.None : AuthType.Auto,
    username,
    password
  })
  const made = new Set<string>()

  async function makeFolder(path: string): Promise<void> {
    if (made.has(path)) return
    const is = await found(client.stat(path))
    if (!is) await client.createDirectory(path)
    made.add(path)
  }

  return {
    list: (folder) =>
      orProblem(async () => {
        const items = (await found(client.getDirectoryContents(join(root, folder)))) as FileStat[] | undefined
        return (items ?? []).map(({ basename }) => basename)
      }),
    read: (path) =>
      orProblem(async () => {
        const bytes = (await found(client.getFileContents(join(root, path)))) as ArrayBuffer | Uint8Array | undefined
        return bytes && Buffer.from(bytes as Uint8Array)
      }),
    write: (path, bytes) =>
      orProblem(async () => {
        const file = join(root, path)
        const folders = file.split('/').slice(1, -1)
        for (const index of folders.keys()) await makeFolder(`/${folders.slice(0, index + 1).join('/')}`)
        await client.putFileContents(file, bytes)
      }),
    remove: (path) => orProblem(async () => void (await found(client.deleteFile(join(root, path)))))
  }
}

function join(root: string, path: string): string {
  return `/${root}${path === '' ? '' : `/${path}`}`
}

/** Networks in which a password may be sent without TLS: this machine, and those that the internet does not reach. */
const NEAR = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']

async function assertNear(hostname: string): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(host, { all: true }).catch(() => [])
  if (addresses.every(({ address }) => NEAR.includes(ipaddr.process(address).range()))) return
  throw new Problem('invalid', 'Give an address that begins with https://. Over http, others could read the password.')
}

/** Fetches like `fetch`, but no more than a file of ours, not for longer than our patience, and from nowhere else. */
async function limitedFetch(url: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
  if (answer.status >= 300 && answer.status < 400) {
    await answer.body?.cancel()
    throw serverFault(`It refers to another address: ${answer.headers.get('location') ?? ''}`)
  }
  // The client takes the body of a second refusal for the file. A nonce that is too old it asks for anew.
  const isDigest = new Headers(options.headers).get('authorization')?.startsWith('Digest')
  if (answer.status === 401 && isDigest && !/stale="?true/i.test(answer.headers.get('www-authenticate') ?? '')) {
    throw refused()
  }
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > MOST_BYTES) throw serverFault('It sends too much.')
    parts.push(part)
  }
  const { status, statusText, headers } = answer
  return new Response(size === 0 ? null : Buffer.concat(parts), { status, statusText, headers })
}

/** `undefined` where the server has no such file or folder. */
async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: Failure) => {
    if (error.status === 404) return undefined
    throw error
  })
}

/** As the client throws them, with the status of an answer, or with the cause of there being none. */
interface Failure extends Error {
  status?: number
}

function refused(): Problem {
  return new Problem('invalid', 'The WebDAV server does not accept the user name and password. Check both.')
}

function serverFault(reason: string): Problem {
  return new Problem('not-found', `The WebDAV server cannot be used. ${reason}`)
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at this address. Is the server running?',
  ENOTFOUND: 'There is no server of this name, or no network.',
  EAI_AGAIN: 'There is no server of this name, or no network.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'There is no https at this address.'
}

async function orProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    const { status, name, message, cause } = error as Failure
    if (status === 401 || status === 403) throw refused()
    if (status === 507 || status === 413) throw folderFull()
    // RFC 4918, section 9.3.1: the folder around it is missing.
    if (status === 409)
      throw new Problem('not-found', 'There is no such folder on the WebDAV server. Make it there first.')
    if (status !== undefined)
      throw serverFault(`It answers with the status ${status}. Is this the address of a WebDAV folder?`)
    if (name === 'TimeoutError') throw serverFault('It does not answer in time.')
    const { code = message } = (cause ?? {}) as NodeJS.ErrnoException
    if (error instanceof TypeError && cause !== undefined)
      throw serverFault(REASONS[code] ?? `It cannot be reached (${code}).`)
    // Its client throws whatever it meets in what is not as WebDAV says, as of a sign-in page of a network.
    throw serverFault(`Its answer is none of a WebDAV server (${message}).`)
  }
}
