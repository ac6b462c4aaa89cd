import { Anchor, Badge, Button, Drawer, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type ApiKey, type Call, callsOptions } from '../../api/service-queries.ts'
import { agentName } from '../../lib/agents.ts'
import { timeOfDay } from '../../lib/dates.ts'
import { common } from '../../strings/common.ts'
import { keys } from '../../strings/keys.ts'
import { Ago } from '../../ui/ago.tsx'
import { IconArrowBackUp } from '../../ui/icons/icons.ts'
import { Loading, NotLoaded } from '../../ui/not-loaded.tsx'
import { notify } from '../../ui/notify.tsx'
import { useUndoCall } from './key-data.ts'
import classes from './ledger.module.css'

const strings = keys.ledger

/** The uses of a key, call by call, and the way to undo what it saved. */
export function Ledger({ apiKey, onClose }: { apiKey: ApiKey | undefined; onClose: () => void }) {
  return (
    <Drawer
      opened={apiKey !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={apiKey && strings.title(apiKey.name)}
    >
      {apiKey && apiKey.tags.length > 0 && (
        <Text size="sm" mb="md">
          {strings.gives(apiKey.tags)}
        </Text>
      )}
      {apiKey && <Calls id={apiKey.id} />}
    </Drawer>
  )
}

function Calls({ id }: { id: string }) {
  const calls = useInfiniteQuery(callsOptions(id))
  if (calls.isPending) return <Loading height={120} />
  if (!calls.data) return <NotLoaded query={calls} failed={strings.failed} />
  const all = calls.data.pages.flat()
  if (all.length === 0) return <Text c="dimmed">{strings.none}</Text>
  return (
    <Stack>
      <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={6} striped="even" aria-label={keys.list.calls}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{strings.when}</Table.Th>
              <Table.Th>{strings.tool}</Table.Th>
              <Table.Th>{strings.client}</Table.Th>
              <Table.Th ta="end">{strings.results}</Table.Th>
              <Table.Th ta="end">{strings.size}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{common.undo}</VisuallyHidden>
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
          {strings.older}
        </Button>
      )}
    </Stack>
  )
}

function CallRow({ call }: { call: Call }) {
  const undoing = useUndoCall()
  const undo = () => undoing.mutate(call.id, { onSuccess: ({ undone, kept }) => notify(strings.toTrash(undone, kept)) })
  const when = timeOfDay(call.at ?? '')
  return (
    <Table.Tr>
      <Table.Td>
        <Ago iso={call.at ?? ''} />
      </Table.Td>
      <Table.Td>
        <Text ff="monospace" fz="xs">
          {call.tool || strings.anyTool}
        </Text>
        <Outcome call={call} />
      </Table.Td>
      <Table.Td>{call.client === null ? strings.unknown : agentName(call.client)}</Table.Td>
      <Table.Td ta="end">{call.refused === null && common.number(call.results)}</Table.Td>
      <Table.Td ta="end">{call.refused === null && strings.bytes(call.bytes)}</Table.Td>
      <Table.Td ta="end">
        {call.undoneAt && (
          <Badge variant="light" color="gray">
            {strings.undone}
          </Badge>
        )}
        {!call.undoneAt && call.undoable > 0 && (
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconArrowBackUp size={13} />}
            aria-label={strings.undoOf(call.undoable, when)}
            loading={undoing.isPending}
            onClick={undo}
          >
            {strings.undo(call.undoable)}
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
      <Text size="xs" c="var(--mantine-color-error)" className={classes.outcome ?? ''}>
        {strings.refused(refused)}
      </Text>
    )
  }
  const gone = tool === 'bookmarks.insert' ? results - savedLeft : 0
  const more = savedLeft - saved.length
  if (saved.length + gone === 0) return null
  return (
    <ul className={classes.saved} aria-label={strings.saved}>
      {saved.map(({ id, title, inTrash }) => (
        <li key={id}>
          <Anchor component={Link} href={`${inTrash ? '/trash' : '/'}?open=${id}`} size="xs" title={title}>
            {title}
          </Anchor>
          {inTrash && ` ${strings.inTrash}`}
        </li>
      ))}
      {more > 0 && <li>{strings.more(more)}</li>}
      {gone > 0 && <li>{strings.gone(gone)}</li>}
    </ul>
  )
}
