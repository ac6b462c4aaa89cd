import type { Migration } from '../migration.ts'
import { library } from './010-library.ts'
import { ledger } from './020-ledger.ts'
import { search } from './030-search.ts'
import { editing } from './040-editing.ts'
import { owners } from './050-owners.ts'
import { words } from './060-words.ts'
import { imports } from './070-imports.ts'
import { pageDetails } from './080-page-details.ts'
import { nearPages } from './090-near-pages.ts'
import { pictures } from './100-pictures.ts'
import { links } from './110-links.ts'
import { unindexed } from './120-unindexed.ts'
import { settling } from './130-settling.ts'
import { keyTags } from './160-key-tags.ts'
import { tabTexts } from './170-tab-texts.ts'
import { textLayouts } from './180-text-layouts.ts'
import { savedSearches } from './190-saved-searches.ts'
import { savers } from './200-savers.ts'
import { foldedLetters } from './210-folded-letters.ts'
import { steps } from './220-steps.ts'
import { rules } from './230-rules.ts'
import { openings } from './240-openings.ts'
import { sync } from './250-sync.ts'
import { syncSearchesAndRules } from './260-sync-searches-and-rules.ts'
import { syncSnapshots } from './270-sync-snapshots.ts'
import { foldedScripts } from './290-folded-scripts.ts'
import { syncDigests } from './300-sync-digests.ts'

/** Every migration, oldest first. A released one is never edited. */
export const migrations: Migration[] = [
  library,
  ledger,
  search,
  editing,
  owners,
  words,
  imports,
  pageDetails,
  nearPages,
  pictures,
  links,
  unindexed,
  settling,
  keyTags,
  tabTexts,
  textLayouts,
  savedSearches,
  savers,
  foldedLetters,
  steps,
  rules,
  openings,
  sync,
  syncSearchesAndRules,
  syncSnapshots,
  foldedScripts,
  syncDigests
]
