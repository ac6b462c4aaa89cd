import { csvFormat } from './csv-format.ts'
import { dateOf } from './dates.ts'
import { droppedIn } from './dropped.ts'
import { joined } from './joined.ts'
import { isSet, stateTags } from './states.ts'

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
      description: joined([cell('note'), cell('excerpt'), cell('highlights')]),
      tags: [
        ...tags,
        ...stateTags({ favorite: isSet(cell('favorite')) }),
        ...(folder === '' || folder === 'Unsorted' ? [] : [folder])
      ],
      createdAt,
      dropped: droppedIn({ 'cover pictures': cell('cover') })
    }
  }
)
