import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { stopRule, useMatches, useRuleChanges, useRuleStart } from '../../../shared/rules.ts'
import type { RuleBody } from '../../../shared/undo.ts'
import { common } from '../../../strings/common.ts'
import { rules as strings } from '../../../strings/rules.ts'
import { type Place, PlaceSelect } from '../place-select.tsx'
import { TagsField } from '../tags-field.tsx'

/** Makes a rule, or changes one. */
export function RuleDialog() {
  const start = useRuleStart()
  return (
    <Modal opened={start !== undefined} onClose={stopRule} title={strings.dialog} size={520}>
      {start && <RuleForm start={start} />}
    </Modal>
  )
}

function RuleForm({ start: { rule, body } }: { start: NonNullable<ReturnType<typeof useRuleStart>> }) {
  const gone = rule?.organization?.isGone === true
  const [query, setQuery] = useState(body.query)
  const [tags, setTags] = useState(body.tags ?? [])
  const [place, setPlace] = useState(gone ? undefined : placeOf(body))
  const [alsoNow, setAlsoNow] = useState(false)
  const { save, change } = useRuleChanges()
  const matches = useMatches(query.trim(), place !== undefined)
  const count = query.trim() === '' || matches.isError ? undefined : matches.data
  const fault = save.error ?? change.error

  function submit(event: FormEvent) {
    event.preventDefault()
    const wanted = { query: query.trim(), tags, ...place }
    const options = { onSuccess: stopRule }
    if (rule) change.mutate({ rule, body: wanted }, options)
    else save.mutate({ body: wanted, alsoNow: alsoNow && count !== undefined && count > 0 }, options)
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={strings.query}
          description={strings.queryText}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          error={matches.isError && query.trim() !== '' ? matches.error.message : undefined}
          maxLength={1000}
          autoComplete="off"
          spellCheck={false}
          data-autofocus={query === ''}
        />
        <Text size="sm" c="dimmed" role="status">
          {count === undefined ? ' ' : strings.matches(count)}
        </Text>
        <TagsField label={strings.tags} value={tags} onChange={setTags} />
        <PlaceSelect
          label={strings.place}
          placeholder={strings.leave}
          description={place && strings.ownOnly}
          value={place}
          error={gone && !place ? strings.goneHint(rule?.organization?.name ?? '') : undefined}
          onChange={setPlace}
          clear={{ label: strings.clearPlace, run: () => setPlace(undefined) }}
        />
        {!rule && count !== undefined && count > 0 && (
          <Checkbox
            label={strings.alsoNow(count)}
            checked={alsoNow}
            onChange={(event) => setAlsoNow(event.currentTarget.checked)}
          />
        )}
        {fault && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault.message}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={stopRule}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending || change.isPending}>
            {strings.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function placeOf({ visibility, organization }: RuleBody): Place | undefined {
  return visibility && { visibility, organization }
}
