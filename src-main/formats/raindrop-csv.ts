import { csvFormat } from './csv-format.ts'
import { dateOf } from './dates.ts'

/** Raindrop.io's export. What is in no folder is in the folder `Unsorted`. */
export const raindropCsv = csvFormat(
  { id: 'raindrop', name: 'Raindrop', needs: ['url', 'folder', 'created'] },
  (cell, line) => {
    const createdAt = dateOf(cell('created'))
    const folder = cell('folder').trim()
    const tags = cell('tags')
      .split(', ')
      .filter((tag) => tag.trim() !== '')
    return {
      line,
      url: cell('url'),
      title: cell('title'),
      description: [cell('note'), cell('excerpt')].filter((text) => text.trim() !== '').join('\n\n'),
      tags: folder === '' || folder === 'Unsorted' ? tags : [...tags, folder],
      createdAt
    }
  }
)
