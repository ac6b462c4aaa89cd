import { Text, UnstyledButton } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../../shared/api.ts'
import { openBookmark } from '../../../shared/opened.ts'
import { pause } from '../../../shared/pause.ts'
import { ask } from '../../../shared/request.ts'
import { titleOf } from '../../../shared/title-of.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { siteLabel } from '../list/site-label.ts'
import classes from './related.module.css'

/** How long a bookmark is open before its related ones are asked for, in milliseconds: J and K pass many. */
const PAUSE_MS = 200

const relatedOptions = (id: string) =>
  queryOptions({
    queryKey: ['bookmarks', 'related', id],
    queryFn: async ({ signal }) => {
      await pause(PAUSE_MS, signal)
      return ask(api.bookmarks[':id'].related.$get({ param: { id }, query: {} }, { init: { signal } }))
    }
  })

/** The bookmarks most like one, each to be opened. */
export function Related({ id }: { id: string }) {
  const { data } = useQuery(relatedOptions(id))
  if (!data || data.bookmarks.length === 0) return null
  return (
    <section aria-labelledby="related">
      <Text component="h3" id="related" size="xs" fw={500} c="dimmed" mt="lg" mb={4}>
        {strings.related}
      </Text>
      {data.bookmarks.map((bookmark) => (
        <UnstyledButton key={bookmark.id} className={classes.one ?? ''} onClick={() => openBookmark(bookmark.id)}>
          <Text component="span" size="sm" truncate>
            {titleOf(bookmark)}
          </Text>
          <Text component="span" size="xs" c="dimmed" truncate>
            {siteLabel(bookmark)}
          </Text>
        </UnstyledButton>
      ))}
    </section>
  )
}
