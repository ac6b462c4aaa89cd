import type { Migration } from '../migration.ts'
import { library } from './010-library.ts'
import { ledger } from './020-ledger.ts'
import { search } from './030-search.ts'

/** Every migration, oldest first. A released one is never edited. */
export const migrations: Migration[] = [library, ledger, search]
