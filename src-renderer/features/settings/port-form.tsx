import { t } from '@lingui/core/macro'
import { Button, Group, NumberInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { endsSession } from '../../api/client.ts'
import { useChangeSettings } from '../../api/mutations.ts'
import { statusOptions } from '../../api/queries.ts'
import { errorText } from '../../lib/problem-text.ts'
import { notify } from '../../ui/notify.tsx'

/** Where the service listens when nothing else was chosen. */
const USUAL = 20_727

/** The port from the next start on. */
export function PortForm({ port }: { port: number | null }) {
  const status = useQuery(statusOptions)
  const changing = useChangeSettings({ quiet: true })
  const [typed, setTyped] = useState<number | string>(port ?? USUAL)
  const [fault, setFault] = useState<string>()

  async function save(wanted: number) {
    setFault(undefined)
    try {
      await changing.mutateAsync({ port: wanted === USUAL ? null : wanted })
      notify(t`Saved. Earmark listens on ${wanted} from its next start.`)
    } catch (error) {
      // The service names the field, which stands above this already.
      if (!endsSession(error)) setFault(errorText(error).replace(/^port: /, ''))
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (typeof typed === 'number' && Number.isInteger(typed) && typed >= 1024 && typed <= 65_535) void save(typed)
    else setFault(t`Enter a number from 1024 to 65535.`)
  }

  return (
    <form onSubmit={submit} noValidate>
      <Text size="sm" mb="sm">
        {status.data &&
          t`Earmark listens on ${new URL(status.data.url).host} now. A new port is used from the next start. Your editors then need the new address.`}
      </Text>
      <Group align="flex-end" gap="sm">
        <NumberInput
          label={t`Port`}
          value={typed}
          onChange={setTyped}
          error={fault}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          w={180}
          inputWrapperOrder={['label', 'input', 'error']}
        />
        <Button type="submit" loading={changing.isPending} disabled={typed === (port ?? USUAL)}>
          {t`Save`}
        </Button>
        {port !== null && (
          <Button variant="default" onClick={() => save(USUAL)}>
            {t`Use 20727 again`}
          </Button>
        )}
      </Group>
    </form>
  )
}
