import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { Page } from '../../shared/page.tsx'
import { useStore } from '../../shared/store.ts'
import { common } from '../../strings/common.ts'
import { keys as strings } from '../../strings/keys.ts'
import { shell } from '../../strings/shell.ts'
import { IconPlus } from '../../ui/icons/icons.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { type KeyRequest, type NewKey, useCreateKey, useKeys } from './key-data.ts'
import { KeyForm } from './key-form.tsx'
import { KeyList } from './key-list.tsx'
import { madeKey } from './made.ts'
import { MadeKey } from './made-key.tsx'

/** Profile, API Keys: make them, connect editors with them, see what they did, end them. */
export function Keys() {
  const keys = useKeys()
  const [making, setMaking] = useState(false)
  const made = useStore(madeKey)
  const opener = useRef<HTMLButtonElement>(null)
  const creating = useCreateKey()
  // A new key is told of before its answer is here; the form waits for that.
  const none = keys.data?.length === 0 || (keys.data?.length === 1 && creating.isPending)
  const form = (making || none) && !made

  async function create(request: KeyRequest) {
    show({ ...(await creating.mutateAsync(request)), name: request.name, rotated: false })
  }

  function show(key: NewKey) {
    setMaking(false)
    madeKey.set(key)
  }

  function back() {
    setMaking(false)
    madeKey.set(undefined)
    // Once the button is there again.
    requestAnimationFrame(() => opener.current?.focus())
  }

  return (
    <Page
      title={shell.keys}
      actions={
        !form && (
          <Button ref={opener} leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)} disabled={!!made}>
            {strings.create}
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Text c="dimmed" maw="42rem">
          {strings.intro}
        </Text>
        {made && <MadeKey made={made} onDone={back} />}
        {form && <KeyForm first={none} onSubmit={create} onCancel={none ? undefined : back} />}
        {keys.isPending && <Waiting />}
        <NotLoaded query={keys} failed={strings.list.failed} />
        {keys.data && keys.data.length > 0 && <KeyList keys={keys.data} onRotated={show} />}
      </Stack>
    </Page>
  )
}

function Waiting() {
  return (
    <Stack aria-busy="true" aria-label={common.loading} role="group">
      <Skeleton h={120} />
      <Skeleton h={120} />
    </Stack>
  )
}
