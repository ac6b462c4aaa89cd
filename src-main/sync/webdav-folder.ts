import { lookup } from 'node:dns/promises'
import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import ipaddr from 'ipaddr.js'
import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { Problem } from '../contract/problem.ts'
import { createLogin } from './http-login.ts'
import { type FileStore, folderFull } from './local-folder.ts'

/** Timeout of one request with its answer, in ms. A server that takes longer is tried again in the next round. */
const TIMEOUT_MS = 60_000

/** Maximum size of a listing, in bytes: about 17,000 files of Earmark. */
const MAX_LISTING_BYTES = 4 * 1024 * 1024

/** Limit of an answer that is not needed, in bytes. Reading it lets the connection be used again. */
const MAX_REST_BYTES = 64 * 1024

/** Limit of elements within each other in a listing. Those of servers have up to six. */
const MAX_DEPTH = 32

/** Limit of an address in a listing, in characters. */
const MAX_HREF_LENGTH = 8192

/** Requests as few properties as possible. Without a body, servers send all properties of each file. */
const LISTING = '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>'

/**
 * A folder on a WebDAV server (RFC 4918): Nextcloud, Apache, rclone. The owner gave its address, so it may be on the
 * owner's own network; redirects are not followed. Whatever the server sends is read up to a limit.
 *
 * @param address with the user name in it
 * @param closing aborts requests
 * @throws Problem `invalid` if the password is wrong, or would be sent through the internet unencrypted
 */
export async function webdavFolder(
  address: string,
  password = '',
  root: string,
  closing = new AbortController().signal
): Promise<FileStore> {
  const { base, user } = await readAddress(address)
  const login = createLogin(user, password)
  const made = new Set<string>()
  // Not Node's own: in undici 7, a connection that closes while its body is paused ends the process.
  const dispatcher = new Agent()

  /** Returns an answer with a good status; `undefined` if the server has no such file or folder. */
  async function ask(method: string, path: string, more: RequestInit = {}): Promise<Response | undefined> {
    const target = new URL(path, base)
    // Without credentials, with them, and with them for a new nonce.
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const authorization = login.header(method, target.pathname)
      const headers = authorization ? { ...more.headers, authorization } : more.headers
      const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)])
      const answer = await fetch(target, { ...more, method, headers, redirect: 'manual', signal, dispatcher })
      if (answer.ok) return answer
      await discard(answer)
      if (answer.status === 404 || answer.status === 410) return undefined
      if (answer.status !== 401) throw problemOf(answer)
      if (!login.challenge(answer.headers.get('www-authenticate') ?? '', authorization !== undefined)) break
    }
    throw new Problem('invalid', 'The WebDAV server does not accept the user name and password. Check both.')
  }

  async function list(path: string, depth: '0' | '1'): Promise<string[] | undefined> {
    const headers = { depth, 'content-type': 'application/xml' }
    const answer = await ask('PROPFIND', path, { headers, body: LISTING })
    return answer && readListing(answer)
  }

  async function change(method: 'MKCOL' | 'PUT', path: string, body?: Uint8Array<ArrayBuffer>): Promise<void> {
    const answer = await ask(method, path, body && { body })
    if (!answer) throw noFolder()
    await discard(answer)
  }

  async function makeFolder(path: string): Promise<void> {
    if (made.has(path)) return
    if (!(await list(path, '0'))) await change('MKCOL', path)
    made.add(path)
  }

  return {
    list: (folder) => orProblem(async () => (await list(join(root, folder, ''), '1')) ?? []),
    read: (path, maxBytes) =>
      orProblem(async () => {
        const answer = await ask('GET', join(root, path))
        // Nothing of ours is a page. A server without WebDAV, or the sign-in of a network, sends one for every address.
        if (/^text\/html\b/i.test(answer?.headers.get('content-type') ?? '')) throw notWebdav()
        if (!answer) return undefined
        const chunks: Uint8Array[] = []
        for await (const chunk of chunksOf(answer, maxBytes)) chunks.push(chunk)
        return Buffer.concat(chunks)
      }),
    write: (path, bytes) =>
      orProblem(async () => {
        const folders = join(root, path).split('/').slice(0, -1)
        for (const index of folders.keys()) await makeFolder(`${folders.slice(0, index + 1).join('/')}/`)
        await change('PUT', join(root, path), new Uint8Array(bytes))
      }),
    remove: (path) =>
      orProblem(async () => {
        const answer = await ask('DELETE', join(root, path))
        if (answer) await discard(answer)
      })
  }
}

function join(...names: string[]): string {
  return names.filter((name, index) => name !== '' || index === names.length - 1).join('/')
}

async function readAddress(address: string): Promise<{ base: URL; user: string }> {
  const base = URL.parse(address)
  const user = base && decodeName(base.username)
  if (!base || user === undefined || user === null) throw new Problem('invalid', 'This is not an address.')
  if (base.password !== '') throw new Problem('invalid', 'Give the password by itself, not in the address.')
  if (base.protocol === 'http:') await assertNear(base.hostname)
  base.username = base.search = base.hash = ''
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return { base, user }
}

function decodeName(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Networks in which a password may be sent without TLS: this machine, and those that the internet does not reach. */
const NEAR = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']

async function assertNear(hostname: string): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(host, { all: true }).catch(() => [])
  if (addresses.every(({ address }) => NEAR.includes(ipaddr.process(address).range()))) return
  throw new Problem('invalid', 'Give an address that begins with https://. Over http, others could read the password.')
}

/** Yields the body of an answer, and throws once it has more bytes. */
async function* chunksOf(answer: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw serverFault('It sends too much.')
    yield chunk
  }
}

async function discard(answer: Response): Promise<void> {
  try {
    for await (const _ of chunksOf(answer, MAX_REST_BYTES));
  } catch {
    // It was not needed.
  }
}

/**
 * Returns the last names of the addresses in a listing. The XML is parsed as it arrives: neither its size, nor elements
 * within each other, nor long texts hold the event loop or memory.
 */
async function readListing(answer: Response): Promise<string[]> {
  if (answer.status !== 207) {
    await discard(answer)
    throw notWebdav()
  }
  const names: string[] = []
  const path: string[] = []
  let href = ''
  let isWhole = false
  const parser = new Parser(
    {
      onopentagname(name) {
        path.push(name.slice(name.indexOf(':') + 1))
        if (path.length > MAX_DEPTH || path[0] !== 'multistatus') throw notWebdav()
      },
      ontext(text) {
        if (path.length !== 3 || path[2] !== 'href') return
        href += text
        if (href.length > MAX_HREF_LENGTH) throw notWebdav()
      },
      onclosetag(_, isImplied) {
        const element = path.pop()
        isWhole ||= path.length === 0 && !isImplied
        if (path.length !== 2 || element !== 'href') return
        const name = href.trim().replace(/\/$/, '').split('/').at(-1) ?? ''
        names.push(decodeName(name) ?? name)
        href = ''
      }
    },
    { xmlMode: true }
  )
  const decoder = new TextDecoder()
  for await (const chunk of chunksOf(answer, MAX_LISTING_BYTES)) {
    parser.write(decoder.decode(chunk, { stream: true }))
    // Several chunks may have arrived at once.
    await setImmediate()
  }
  parser.end()
  // A listing that was cut would look as if files were missing.
  if (!isWhole) throw notWebdav()
  return names
}

function serverFault(reason: string): Problem {
  return new Problem('not-found', `The WebDAV server cannot be used. ${reason}`)
}

function notWebdav(): Problem {
  return serverFault('It does not answer as WebDAV servers do. Is this the address of a WebDAV folder?')
}

/** If the folder of a new file is missing, a server answers 409 (RFC 4918, section 9.3.1); some answer 404. */
function noFolder(): Problem {
  return new Problem('not-found', 'There is no such folder on the WebDAV server. Make it there first.')
}

function problemOf({ status, headers }: Response): Problem {
  if (status >= 300 && status < 400)
    return serverFault(`It refers to another address: ${headers.get('location') ?? ''}`)
  if (status === 403) {
    return new Problem(
      'forbidden',
      'The WebDAV server does not allow Earmark to read or write there. May this user write into this folder?'
    )
  }
  if (status === 409) return noFolder()
  if (status === 507 || status === 413) return folderFull()
  // 423 is a file that another program has locked for a while.
  if (status === 423 || status === 429 || status === 503) {
    const text = 'The WebDAV server is busy. Earmark tries again.'
    return new Problem('too-many', text, waitOf(headers.get('retry-after') ?? ''))
  }
  const advice = status >= 500 ? 'Earmark tries again.' : 'Is this the address of a WebDAV folder?'
  return serverFault(`It answers with the status ${status}. ${advice}`)
}

/** Returns the wait that a header `Retry-After` asks for, in ms: it holds seconds, or a date. */
function waitOf(header: string): number | undefined {
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return wait > 0 ? wait : undefined
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at this address. Is the server running?',
  ENOTFOUND: 'There is no server of this name, or no network.',
  EAI_AGAIN: 'There is no server of this name, or no network.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'There is no https at this address.'
}

/** Turns what `fetch` throws into a Problem: a TypeError with the cause of there being no answer, or of its end. */
async function orProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    const { name, message, cause } = error as Error
    if (name === 'TimeoutError') throw serverFault('It does not answer in time.')
    if (!(error instanceof TypeError) || cause === undefined) throw error
    const { code = message } = cause as NodeJS.ErrnoException
    throw serverFault(REASONS[code] ?? `It cannot be reached (${code}).`)
  }
}
