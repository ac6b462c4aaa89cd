import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { openBookmark } from '../../../shared/opened.ts'
import { Picture } from '../../../shared/picture.tsx'
import { ask } from '../../../shared/request.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { titleOf } from '../list/item-title.tsx'
import classes from './similar-colors.module.css'

const similarOptions = (id: string, color: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'similar', id, color],
    queryFn: ({ signal }) => ask(api.colors.similar.$get({ query: { to: color, except: id } }, { init: { signal } }))
  })

/** The owner's colors and images that look like a color, nearest first, each to be opened. */
export function SimilarColors({ id, color }: { id: string; color: string }) {
  const { data } = useQuery(similarOptions(id, color))
  if (!data || data.colors.length + data.images.length === 0) return null
  return (
    <section aria-label={strings.similarColors}>
      <Text component="h3" size="sm" fw={500} mt="sm" mb={6}>
        {strings.similarColors}
      </Text>
      <div className={classes.colors}>
        {data.colors.map(({ bookmark }) => (
          <button
            key={bookmark.id}
            type="button"
            className={classes.color}
            style={{ backgroundColor: bookmark.content }}
            title={bookmark.title || bookmark.content}
            aria-label={bookmark.title || bookmark.content}
            onClick={() => openBookmark(bookmark.id)}
          />
        ))}
        {data.images.map(({ bookmark }) => (
          <button
            key={bookmark.id}
            type="button"
            className={classes.color}
            title={titleOf(bookmark)}
            aria-label={titleOf(bookmark)}
            onClick={() => openBookmark(bookmark.id)}
          >
            {bookmark.preview !== null && <Picture name={bookmark.preview} className={classes.image ?? ''} />}
          </button>
        ))}
      </div>
    </section>
  )
}
