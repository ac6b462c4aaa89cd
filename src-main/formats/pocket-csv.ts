import { csvFormat } from './csv-format.ts'
import { dateOf } from './dates.ts'
import { stateTags } from './states.ts'

/** A file of Pocket's export, which is a ZIP of them. It titles with the address what has no title. */
export const pocketCsv = csvFormat({ id: 'pocket', name: 'Pocket', needs: ['url', 'time_added'] }, (cell, line) => {
  const createdAt = dateOf(cell('time_added'))
  const title = cell('title')
  const status = cell('status').trim().toLowerCase()
  const tags = cell('tags')
    .split('|')
    .filter((tag) => tag.trim() !== '')
  return {
    line,
    url: cell('url'),
    title: title === cell('url') ? '' : title,
    description: '',
    tags: [...tags, ...stateTags({ unread: status === 'unread', archived: status === 'archive' })],
    createdAt
  }
})
