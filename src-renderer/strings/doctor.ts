import type { Finding } from '../../src-main/contract/doctor.ts'

/** Looking for what is wrong with the library and all around it. */
export const doctor = {
  title: 'Health',
  text:
    'Checks the library, its search index, pictures, folder, backups and the keychain. It changes nothing, and you can keep ' +
    'working. In a large library it takes some seconds.',
  look: 'Check for problems',
  healthy: 'No problems found.',
  ill: 'Problems found.',
  findings: 'Results of the check',
  states: { ok: 'Good', repaired: 'Repaired', problem: 'Problem', unknown: 'Unclear' } satisfies Record<
    Finding['state'],
    string
  >,
  checks: {
    folder: 'Folder',
    library: 'Library',
    log: 'Log',
    integrity: 'File',
    references: 'References',
    index: 'Search index',
    pictures: 'Pictures',
    leftovers: 'Leftovers',
    backups: 'Backups',
    port: 'Port',
    keychain: 'Keychain',
    sync: 'Several machines'
  } satisfies Record<Finding['check'], string>
}
