import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../../api/events.ts'
import { keysOptions, madeKeyOptions, type NewKey } from '../../api/service-queries.ts'
import { Page } from '../../shared/page.tsx'
import { IconPlus } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { type KeyRequest, useCreateKey } from './key-data.ts'
import { KeyForm } from './key-form.tsx'
import { KeyList } from './key-list.tsx'
import { MadeKey } from './made-key.tsx'

/** Profile, API Keys: make them, connect editors with them, see what they did, end them. */
export function Keys() {
  const keys = useQuery(keysOptions)
  const [making, setMaking] = useState(false)
  const made = useQuery(madeKeyOptions).data
  const opener = useRef<HTMLButtonElement>(null)
  const creating = useCreateKey()
  const returning = useRef(false)
  // A new key is told of before its answer is here; the form waits for that.
  const none = keys.data?.length === 0 || (keys.data?.length === 1 && creating.isPending)
  const form = (making || none) && !made

  // The button gets the focus when it can be pressed again.
  useEffect(() => {
    if (!returning.current || form || made) return
    returning.current = false
    opener.current?.focus()
  }, [form, made])

  async function create(request: KeyRequest) {
    show({ ...(await creating.mutateAsync(request)), name: request.name, rotated: false })
  }

  function show(key: NewKey) {
    setMaking(false)
    queryClient.setQueryData(madeKeyOptions.queryKey, key)
  }

  function back() {
    setMaking(false)
    queryClient.setQueryData(madeKeyOptions.queryKey, null)
    returning.current = true
  }

  return (
    <Page
      title={t`API Keys`}
      actions={
        !form && (
          <Button ref={opener} leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)} disabled={!!made}>
            {t`New key`}
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Text c="dimmed" maw="42rem">
          <Trans>
            A key lets an editor or a script search and save your bookmarks. Create one for each, so that you can revoke
            one without the others.
          </Trans>
        </Text>
        {made && <MadeKey made={made} onDone={back} />}
        {form && <KeyForm first={none} onSubmit={create} onCancel={none ? undefined : back} />}
        {keys.isPending && <Waiting />}
        <NotLoaded query={keys} failed={t`The keys could not be read.`} />
        {keys.data && keys.data.length > 0 && <KeyList keys={keys.data} onRotated={show} />}
      </Stack>
    </Page>
  )
}

function Waiting() {
  return (
    <Stack aria-busy="true" aria-label={t`Loading …`} role="group">
      <Skeleton h={120} />
      <Skeleton h={120} />
    </Stack>
  )
}
