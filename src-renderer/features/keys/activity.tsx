import { plural, t } from '@lingui/core/macro'
import { Anchor, Badge, Box, Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { type ApiKey, type Call, callsOptions } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { exactDate } from '../../lib/dates.ts'
import { fileSize, number } from '../../lib/locale.ts'
import { Dialog, type DialogState } from '../../ui/form-modal.tsx'
import { notify } from '../../ui/notify.tsx'
import { Loading, NotLoaded } from '../../ui/placeholders.tsx'
import classes from './keys.module.css'

/** The calls of a key, with buttons that remove the bookmarks that a call saved. */
export function Activity({ apiKey: { id, name, tags }, opened, onClose }: DialogState & { apiKey: ApiKey }) {
  return (
    <Dialog opened={opened} onClose={onClose} size="xl" title={t`Activity of “${name}”`}>
      {tags.length > 0 && (
        <Text size="sm" mb="md">
          {t`Everything it saves is tagged ${tags.map((tag) => `#${tag}`).join(' ')}.`}
        </Text>
      )}
      <Calls id={id} />
    </Dialog>
  )
}

function Calls({ id }: { id: string }) {
  const calls = useInfiniteQuery(callsOptions(id))
  if (calls.isPending) return <Loading height={120} />
  if (!calls.data) return <NotLoaded query={calls} failed={t`The activity could not be read.`} />
  const all = calls.data.pages.flat()
  if (all.length === 0) return <Text c="dimmed">{t`This key has not been used yet.`}</Text>
  return (
    <Stack>
      <ul className={classes.activity} aria-label={t`Activity`}>
        {all.map((call) => (
          <CallRow key={call.id} call={call} />
        ))}
      </ul>
      {calls.hasNextPage && (
        <Button variant="default" onClick={() => calls.fetchNextPage()} loading={calls.isFetchingNextPage}>
          {t`Show older`}
        </Button>
      )}
    </Stack>
  )
}

function CallRow({ call }: { call: Call }) {
  const undoing = useMutation({
    mutationFn: () => ask(api.calls[':id'].undo.$post({ param: { id: String(call.id) } })),
    meta: { changes: ['calls', 'bookmarks'] },
    onSuccess: ({ undone, kept }) =>
      notify(
        t`${plural(undone, { one: '# bookmark is', other: '# bookmarks are' })} in the trash.${plural(kept, { 0: '', other: ' # changed since and stay.' })}`
      )
  })
  const { at, client, refused, undoneAt, undoable, bytes } = call
  const facts = [client === null ? t`Unknown program` : agentName(client), refused === null && fileSize(bytes)]
  const removes = t`Remove ${plural(undoable, { one: '# bookmark', other: '# bookmarks' })}`
  return (
    <li>
      <Text component="time" size="sm" c="dimmed" dateTime={at} className={classes.time ?? ''}>
        {exactDate(at)}
      </Text>
      <Box flex={1} miw={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {titleOfCall(call)}
        </Text>
        <Outcome call={call} />
        <Text size="xs" c="dimmed">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </Box>
      {undoneAt && (
        <Badge variant="light" color="gray" flex="none">
          {t`Removed`}
        </Badge>
      )}
      {!undoneAt && undoable > 0 && (
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          aria-label={t`${removes}: those saved at ${exactDate(at)}`}
          loading={undoing.isPending}
          onClick={() => undoing.mutate()}
        >
          {removes}
        </Button>
      )}
    </li>
  )
}

/** Returns a description of a call. */
function titleOfCall({ tool, refused, words, results }: Call): string {
  const bookmarks = plural(results, { one: '# bookmark', other: '# bookmarks' })
  if (refused !== null) return tool || t`Any call`
  if (tool === 'bookmarks.insert') return t`Saved ${bookmarks}`
  return words ? t`Searched “${words}”: ${bookmarks}` : t`Listed the newest: ${bookmarks}`
}

/** The reason why a call was refused, or the bookmarks that it saved and whether they still exist. */
function Outcome({ call: { tool, refused, saved, savedLeft, results } }: { call: Call }) {
  if (refused !== null) {
    return (
      <Text size="xs" c="var(--mantine-color-error)" maw="17rem" style={{ overflowWrap: 'anywhere' }}>
        {t`Refused: ${refused}`}
      </Text>
    )
  }
  const gone = tool === 'bookmarks.insert' ? results - savedLeft : 0
  const more = savedLeft - saved.length
  if (saved.length + gone === 0) return null
  return (
    <Box
      component="ul"
      maw="17rem"
      m="0.1rem 0 0"
      p={0}
      c="dimmed"
      fz="xs"
      style={{ listStyle: 'none' }}
      aria-label={t`Saved`}
    >
      {saved.map(({ id, title, inTrash }) => (
        <Text key={id} component="li" inherit truncate>
          <Anchor component={Link} href={`${inTrash ? '/trash' : '/'}?open=${id}`} size="xs" title={title}>
            {title}
          </Anchor>
          {inTrash && ` ${t`(in the trash)`}`}
        </Text>
      ))}
      {more > 0 && <Text component="li" inherit truncate>{t`and ${number(more)} more`}</Text>}
      {gone > 0 && <Text component="li" inherit truncate>{t`${number(gone)} deleted permanently`}</Text>}
    </Box>
  )
}
