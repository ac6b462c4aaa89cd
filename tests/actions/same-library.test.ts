import { expect, test, vi } from 'vitest'
import { emptyTrash } from '../../src-main/actions/housekeeping.ts'
import { importLibrary } from '../../src-main/actions/imports/import-library.ts'
import { createOrganization, deleteOrganization } from '../../src-main/actions/organizations.ts'
import type { Ports } from '../../src-main/actions/ports.ts'
import { undoImport } from '../../src-main/actions/undo.ts'
import { PROFILE } from '../../src-main/contract/caller.ts'
import type { Library } from '../../src-main/store/open-library.ts'
import { link, PRIVATE, START, testPorts } from './ports.ts'

type Batch = 'purgeTrash' | 'deleteOrganizationSome' | 'undoStepSome'

/** Restores a backup of the library’s present state right after the first batch. */
async function restoredAfter({ library }: Ports, batch: Batch): Promise<void> {
  const { name } = await library.backUp('manual-1.sqlite')
  const real = library[batch] as (...args: unknown[]) => Promise<never>
  vi.spyOn(library, batch as 'purgeTrash').mockImplementationOnce(async (...args: unknown[]) => {
    const done = await real(...args)
    await library.restoreBackup(name, START)
    return done
  })
}

async function facts(library: Library) {
  const { all, trash } = await library.countByKind()
  return { all, trash, organizations: (await library.listOrganizations()).length }
}

test('emptying the trash stops if a backup is restored meanwhile', async () => {
  const ports = await testPorts()
  const saved = await ports.library.saveBookmarks(PRIVATE, [link('https://a.example/1'), link('https://a.example/2')])
  await ports.library.changeBookmarks(
    saved.map(({ id }) => id),
    { kind: 'delete' },
    START
  )
  await restoredAfter(ports, 'purgeTrash')
  await expect(emptyTrash(ports)).rejects.toMatchObject({ code: 'taken' })
  expect(await facts(ports.library)).toMatchObject({ trash: 2 })
})

test('deleting an organization stops if a backup is restored meanwhile', async () => {
  const ports = await testPorts()
  const { id, rowId } = await createOrganization(ports, { name: 'Client' })
  const drafts = Array.from({ length: 250 }, (_, index) => link(`https://a.example/${index}`))
  await ports.library.saveBookmarks({ ...PRIVATE, visibility: 'organization', owner: rowId }, drafts)
  await restoredAfter(ports, 'deleteOrganizationSome')
  await expect(deleteOrganization(ports, id, 'trash')).rejects.toMatchObject({ code: 'taken' })
  expect(await facts(ports.library)).toEqual({ all: 250, trash: 0, organizations: 1 })
})

test('undoing an import stops if a backup is restored meanwhile', async () => {
  const ports = await testPorts()
  async function* file() {
    yield new TextEncoder().encode(Array.from({ length: 600 }, (_, index) => `https://a.example/${index}\n`).join(''))
  }
  const { undo = 0 } = await importLibrary(ports, PROFILE, file())
  await restoredAfter(ports, 'undoStepSome')
  await expect(undoImport(ports, undo)).rejects.toMatchObject({ code: 'taken' })
  expect(await facts(ports.library)).toMatchObject({ all: 600, trash: 0 })
})
