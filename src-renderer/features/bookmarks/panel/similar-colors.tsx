import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { openBookmark } from '../../../shared/opened.ts'
import { Picture } from '../../../shared/picture.tsx'
import { ask } from '../../../shared/request.ts'
import { titleOf } from '../../../shared/title-of.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import classes from './similar-colors.module.css'

const similarOptions = (id: string, color: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'similar', id, color],
    queryFn: ({ signal }) => ask(api.colors.similar.$get({ query: { to: color, except: id } }, { init: { signal } }))
  })

/** The owner's colors and images that look like a color, nearest first, each to be opened. */
export function SimilarColors({ id: like, color }: { id: string; color: string }) {
  const { data } = useQuery(similarOptions(like, color))
  if (!data || data.colors.length + data.images.length === 0) return null
  return (
    <section aria-label={strings.similarColors}>
      <Text component="h3" size="sm" fw={500} mt="sm" mb={6}>
        {strings.similarColors}
      </Text>
      <div className={classes.colors}>
        {[...data.colors, ...data.images].map(({ bookmark }) => {
          const { id, type, content, preview } = bookmark
          const name = titleOf(bookmark)
          return (
            <button
              key={id}
              type="button"
              className={classes.color}
              style={type === 'color' ? { backgroundColor: content } : undefined}
              title={name}
              aria-label={name}
              onClick={() => openBookmark(id)}
            >
              {preview !== null && <Picture name={preview} className={classes.image ?? ''} />}
            </button>
          )
        })}
      </div>
    </section>
  )
}
