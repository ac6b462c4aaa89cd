import { plural, t } from '@lingui/core/macro'
import { Anchor, Badge, Box, Button, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { type ApiKey, type Call, callsOptions } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { timeOfDay } from '../../lib/dates.ts'
import { fileSize, number } from '../../lib/locale.ts'
import { Ago } from '../../ui/facts.tsx'
import { Dialog, type DialogState } from '../../ui/form-modal.tsx'
import { IconArrowBackUp } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { Loading, NotLoaded } from '../../ui/placeholders.tsx'

/** The calls of a key, and how to remove what it saved. */
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
  if (!calls.data) return <NotLoaded query={calls} failed={t`The calls could not be read.`} />
  const all = calls.data.pages.flat()
  if (all.length === 0) return <Text c="dimmed">{t`This key has not been used yet.`}</Text>
  return (
    <Stack>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={6} striped="even" aria-label={t`Calls`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`When`}</Table.Th>
              <Table.Th>{t`Tool`}</Table.Th>
              <Table.Th>{t`Client`}</Table.Th>
              <Table.Th ta="end">{t`Results`}</Table.Th>
              <Table.Th ta="end">{t`Size`}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t`Undo`}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {all.map((call) => (
              <CallRow key={call.id} call={call} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {calls.hasNextPage && (
        <Button variant="default" onClick={() => calls.fetchNextPage()} loading={calls.isFetchingNextPage}>
          {t`Older calls`}
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
  const when = timeOfDay(call.at ?? '')
  return (
    <Table.Tr>
      <Table.Td>
        <Ago iso={call.at ?? ''} />
      </Table.Td>
      <Table.Td>
        <Text ff="monospace" fz="xs">
          {call.tool || t`Any call`}
        </Text>
        <Outcome call={call} />
      </Table.Td>
      <Table.Td>{call.client === null ? t`Unknown` : agentName(call.client)}</Table.Td>
      <Table.Td ta="end">{call.refused === null && number(call.results)}</Table.Td>
      <Table.Td ta="end">{call.refused === null && fileSize(call.bytes)}</Table.Td>
      <Table.Td ta="end">
        {call.undoneAt && (
          <Badge variant="light" color="gray">
            {t`Undone`}
          </Badge>
        )}
        {!call.undoneAt && call.undoable > 0 && (
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconArrowBackUp size={13} />}
            aria-label={t`Undo ${number(call.undoable)}: move the bookmarks saved at ${when} to the trash`}
            loading={undoing.isPending}
            onClick={() => undoing.mutate()}
          >
            {t`Undo ${number(call.undoable)}`}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** Why it was refused, or what it saved, and what became of that. */
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
