import { plural, t } from '@lingui/core/macro'
import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { matchesOptions } from '../../../api/queries.ts'
import { useRuleChanges } from '../../../api/rules.ts'
import type { RuleBody } from '../../../api/undo.ts'
import { number } from '../../../lib/locale.ts'
import { closeDialog, type Dialog, useDialog } from '../../../shared/dialogs.ts'
import { type Place, PlaceSelect } from '../place-select.tsx'
import { TagsField } from '../tags-field.tsx'

const close = () => closeDialog('rule')

/** Makes a rule, or changes one. */
export function RuleDialog() {
  const start = useDialog('rule')
  return (
    <Modal opened={start !== undefined} onClose={close} title={t`Rule for new bookmarks`} size={520}>
      {start && <RuleForm start={start} />}
    </Modal>
  )
}

type RuleStart = Extract<Dialog, { kind: 'rule' }>

/** The fields of the form, and what they say by now. */
function useRuleForm({ rule, body }: RuleStart) {
  const gone = rule?.organization?.isGone ? rule.organization.name : undefined
  const [query, setQuery] = useState(body.query)
  const [tags, setTags] = useState(body.tags ?? [])
  const [place, setPlace] = useState(gone === undefined ? placeOf(body) : undefined)
  const [alsoNow, setAlsoNow] = useState(false)
  const { save, change } = useRuleChanges()
  const matches = useQuery(matchesOptions(query.trim(), place !== undefined))
  const known = query.trim() !== ''
  const count = known && !matches.isError ? matches.data : undefined
  return {
    ...{ query, setQuery, tags, setTags, place, setPlace, alsoNow, setAlsoNow, gone, count },
    misread: known ? matches.error?.message : undefined,
    /** How many there are to apply it to at once; one that is changed is applied in the settings. */
    offered: rule ? 0 : (count ?? 0),
    fault: (save.error ?? change.error)?.message,
    busy: save.isPending || change.isPending,
    submit(event: FormEvent) {
      event.preventDefault()
      const wanted = { query: query.trim(), tags, ...place }
      if (rule) change.mutate({ rule, body: wanted }, { onSuccess: close })
      else save.mutate({ body: wanted, alsoNow: alsoNow && (count ?? 0) > 0 }, { onSuccess: close })
    }
  }
}

function RuleForm({ start }: { start: RuleStart }) {
  const form = useRuleForm(start)
  const { offered, alsoNow, setAlsoNow, fault } = form
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <Fields form={form} />
        {offered > 0 && (
          <Checkbox
            label={plural(offered, {
              one: 'Apply it to the bookmark that matches now, too',
              other: 'Apply it to the # bookmarks that match now, too'
            })}
            checked={alsoNow}
            onChange={(event) => setAlsoNow(event.currentTarget.checked)}
          />
        )}
        {fault !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={form.busy}>
            {t`Save rule`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The query with how many bookmarks match it, and what these get. */
function Fields({ form }: { form: ReturnType<typeof useRuleForm> }) {
  const { query, setQuery, misread, count, tags, setTags, place, setPlace, gone } = form
  return (
    <>
      <TextInput
        label={t`Bookmarks that match`}
        description={t`Words and filters, as in the search field: rust, site:github.com, type:image`}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        error={misread}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Text size="sm" c="dimmed" role="status">
        {count === undefined
          ? ' '
          : t`${number(count)} ${plural(count, { one: 'bookmark matches', other: 'bookmarks match' })} now.`}
      </Text>
      <TagsField label={t`Add tags`} value={tags} onChange={setTags} />
      <PlaceSelect
        label={t`Change visibility`}
        placeholder={t`Leave as it is`}
        description={place && t`Applies to your own bookmarks, not to those of organizations.`}
        value={place}
        error={gone !== undefined && !place ? t`“${gone}” was deleted. Choose another place.` : undefined}
        onChange={setPlace}
        clear={{ label: t`Leave the visibility as it is`, run: () => setPlace(undefined) }}
      />
    </>
  )
}

function placeOf({ visibility, organization }: RuleBody): Place | undefined {
  return visibility && { visibility, organization }
}
