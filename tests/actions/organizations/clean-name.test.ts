import { expect, test } from 'vitest'
import { createKey } from '../../../src-main/actions/keys/keys.ts'
import { createOrganization, renameOrganization } from '../../../src-main/actions/organizations/organizations.ts'
import { KeyRequest } from '../../../src-main/contract/key.ts'
import { quickPorts } from '../ports.ts'

const HIDING = ' Edi\u0000tor\u202e of\n\tmine\u200f '
const NOTHING = '\u0007\u202e\ufeff'

test('names of keys and organizations lose characters that hide in them or reorder them', async () => {
  const ports = quickPorts()
  await createKey(ports, KeyRequest.parse({ name: HIDING }))
  expect((await ports.library.listKeys()).map((key) => key.name)).toEqual(['Editor of mine'])
  const organization = await createOrganization(ports, { name: HIDING })
  expect(organization.name).toBe('Editor of mine')
  await renameOrganization(ports, organization.id, { name: `Other${HIDING}` })
  expect((await ports.library.listOrganizations()).map((one) => one.name)).toEqual(['Other Editor of mine'])
})

test('two names that look the same are the same', async () => {
  const ports = quickPorts()
  await createOrganization(ports, { name: 'Acme' })
  await expect(createOrganization(ports, { name: 'Ac\u0000me' })).rejects.toMatchObject({ code: 'taken' })
})

test('a name of which nothing can be seen is refused', async () => {
  const ports = quickPorts()
  const { id } = await createOrganization(ports, { name: 'Acme' })
  const invalid = { name: 'Problem', code: 'invalid' }
  await expect(createKey(ports, KeyRequest.parse({ name: NOTHING }))).rejects.toMatchObject(invalid)
  await expect(createOrganization(ports, { name: NOTHING })).rejects.toMatchObject(invalid)
  await expect(renameOrganization(ports, id, { name: NOTHING })).rejects.toMatchObject(invalid)
  expect(await ports.library.listKeys()).toEqual([])
})
