import { plural, t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, ask } from '../../api/client.ts'
import { countsOptions } from '../../api/queries.ts'
import { notify } from '../../ui/notify.tsx'
import classes from './home.module.css'

/** Adds the sample bookmarks to an empty library. */
export function TrySamples() {
  const adding = useMutation({
    mutationFn: () => ask(api.samples.$post()),
    meta: { changes: ['bookmarks'] }
  })
  return (
    <Button variant="default" loading={adding.isPending} onClick={() => adding.mutate()}>
      {t`Try with 40 sample bookmarks`}
    </Button>
  )
}

/** A note above a list with samples, with a button that removes them. */
export function SamplesNote() {
  const count = useQuery(countsOptions).data?.samples ?? 0
  const removing = useMutation({
    mutationFn: () => ask(api.samples.$delete()),
    meta: { changes: ['bookmarks'] },
    onSuccess: ({ removed }) =>
      notify(t`${plural(removed, { one: '# sample bookmark', other: '# sample bookmarks' })} removed.`)
  })
  if (count === 0) return null
  return (
    <Group justify="space-between" gap="0.25rem 0.75rem" className={classes.note} role="note">
      <Text size="sm" c="dimmed">
        {t`${plural(count, { one: '# sample bookmark', other: '# sample bookmarks' })} to try. Those you edit are yours to keep.`}
      </Text>
      <Button variant="subtle" size="compact-sm" mx={-8} loading={removing.isPending} onClick={() => removing.mutate()}>
        {t`Remove samples`}
      </Button>
    </Group>
  )
}
