import { expect, test } from 'vitest'
import { emptyLibrary } from '../library.ts'

test('organizations are listed by name', () => {
  const { createOrganization, listOrganizations } = emptyLibrary()
  const globex = createOrganization('Globex', 1000)
  const acme = createOrganization('Acme', 2000)
  expect(listOrganizations()).toEqual([acme, globex])
  expect(acme).toMatchObject({ name: 'Acme', createdAt: 2000, id: expect.stringMatching(/^\w[\w-]{15}$/) })
})

test.for([
  ['Acme', 'Acme'],
  ['Acme', 'ACME'],
  ['ärzte', 'ÄRZTE'],
  ['Москва', 'МОСКВА']
])('beside %s, the name %s is taken', ([first = '', second = '']) => {
  const { createOrganization, listOrganizations } = emptyLibrary()
  createOrganization(first, 1)
  expect(() => createOrganization(second, 2)).toThrow(
    expect.objectContaining({ name: 'Problem', code: 'taken', message: expect.stringContaining(second) })
  )
  expect(listOrganizations().map((one) => one.name)).toEqual([first])
})
