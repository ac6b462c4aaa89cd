import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { z } from 'zod'
import type { MarkdownFolder } from '../contract/ports.ts'
import { Problem } from '../contract/problem.ts'
import { foldName } from '../core/clean-text.ts'
import { draftOf, replaceFile } from './files.ts'

/** A file that Earmark wrote: its name, the stamp of its bookmark at that time, and the SHA-256 of its content. */
const OwnFile = z.object({ name: z.string(), stamp: z.string(), hash: z.string() })

/** The list of a folder's files, by the ids of their bookmarks. It is stored in the data folder. */
const OwnFiles = z.object({ folder: z.string(), files: z.record(z.string(), OwnFile) })

/** Only the owner can read the files. */
const MODE = 0o600

/**
 * Opens a folder with a Markdown file for each bookmark. Only files that Earmark wrote, and that nobody changed since, are
 * replaced or removed.
 *
 * @param data the data folder, in which `markdown-folder.json` lists the files
 * @throws Problem `invalid` if the folder cannot be used
 */
export async function openMarkdownFolder(data: string, folder: string): Promise<MarkdownFolder> {
  await check(folder, data)
  const list = join(data, 'markdown-folder.json')
  const files = await readList(list, folder)
  const there = new Set((await readdir(folder).catch(ignoreMissing)) ?? throwMissing(folder))
  for (const [id, { name }] of Object.entries(files)) if (!there.has(name)) delete files[id]
  const names = new Set(Object.values(files).map(({ name }) => foldName(name)))

  /** Returns the content's hash; `undefined` if there is no file, or the file is empty because of a crash. */
  async function hashOf(name: string): Promise<string | undefined> {
    const content = await readFile(join(folder, name)).catch(ignoreMissing)
    return content === undefined || content.length === 0 ? undefined : sha256(content)
  }

  /**
   * Returns the first name that no file has, in upper or lower case. A file of the same content is no obstacle, because
   * Earmark wrote it before a crash.
   */
  async function freeName(wanted: string, hash: string): Promise<string> {
    for (let number = 1; ; number++) {
      const name = number === 1 ? `${wanted}.md` : `${wanted} (${number}).md`
      if (names.has(foldName(name))) continue
      const found = await stat(join(folder, name)).catch(ignoreMissing)
      if (!found || (found.isFile() && (await hashOf(name)) === hash)) return name
    }
  }

  async function removeUnchanged({ name, hash }: z.infer<typeof OwnFile>): Promise<void> {
    if ((await hashOf(name)) === hash) await rm(join(folder, name), { force: true })
    names.delete(foldName(name))
  }

  return {
    stamps: () => new Map(Object.entries(files).map(([id, { stamp }]) => [id, stamp])),
    async write(id, stamp, { name: wanted, content }) {
      const own = files[id]
      const found = own && (await hashOf(own.name))
      const hash = sha256(Buffer.from(content))
      if (own && found !== undefined && found !== own.hash) {
        own.stamp = stamp
        return
      }
      const isNamed = own !== undefined && own.name.replace(/( \(\d+\))?\.md$/, '') === wanted
      const name = isNamed ? own.name : await freeName(wanted, hash)
      if (found !== hash || !isNamed) await put(join(folder, name), content)
      if (own && !isNamed) await removeUnchanged(own)
      names.add(foldName(name))
      files[id] = { name, stamp, hash }
    },
    async remove(id) {
      const own = files[id]
      if (own) await removeUnchanged(own)
      delete files[id]
    },
    save: () => replaceFile(list, JSON.stringify({ folder, files }), MODE)
  }
}

/** A crash leaves the old file or the new one. Nothing waits for the disk, because each file can be written again. */
async function put(file: string, content: string): Promise<void> {
  const draft = draftOf(file)
  try {
    await writeFile(draft, content, { flag: 'wx', mode: MODE })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Problem('invalid', `Earmark cannot write to this folder${code === '' ? '' : ` (${code})`}: ${file}`)
  }
}

/** Returns Earmark's files in a folder: none if there is no list, or if the list is of another folder. */
async function readList(list: string, folder: string): Promise<z.infer<typeof OwnFiles>['files']> {
  const text = await readFile(list, 'utf8').catch(ignoreMissing)
  try {
    const known = OwnFiles.safeParse(JSON.parse(text ?? '{}')).data
    return known?.folder === folder ? known.files : {}
  } catch {
    return {}
  }
}

/** @throws Problem `invalid` if the folder is no folder, is missing, or is inside the data folder */
async function check(folder: string, data: string): Promise<void> {
  if (!isAbsolute(folder)) throw new Problem('invalid', 'Enter the full path of a folder.')
  const found = await stat(folder).catch(() => undefined)
  const path = await realpath(folder).catch(() => undefined)
  if (!found || path === undefined) throwMissing(folder)
  if (!found.isDirectory()) throw new Problem('invalid', `${folder} is a file, not a folder.`)
  const way = relative(await realpath(data), path)
  if (!way.startsWith('..') && !isAbsolute(way)) {
    throw new Problem('invalid', 'This folder is inside the data folder. Choose a folder elsewhere.')
  }
}

function throwMissing(folder: string): never {
  throw new Problem('invalid', `There is no folder ${folder}. Create it first, or connect the disk it is on.`)
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
