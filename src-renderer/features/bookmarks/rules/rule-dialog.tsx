import { plural, t } from '@lingui/core/macro'
import { Checkbox, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { matchesOptions, type Rule } from '../../../api/queries.ts'
import { type RuleBody, useRuleChanges } from '../../../api/rules.ts'
import { type DialogState, FormModal } from '../../../ui/form-modal.tsx'
import { type Place, PlaceSelect } from '../place-select.tsx'
import { TagsField } from '../tags-field.tsx'

interface RuleDialogProps extends DialogState {
  start: { rule?: Rule | undefined; body: RuleBody }
}

interface RuleFields {
  query: string
  tags: string[]
  place: Place | undefined
  copy: boolean
  alsoNow: boolean
}

/** Makes a rule, or changes one. */
export function RuleDialog({ start: { rule, body }, ...state }: RuleDialogProps) {
  const { save, change } = useRuleChanges()
  const { visibility, organization } = body
  const gone = rule?.organization?.isGone ? rule.organization.name : undefined
  const place = visibility && gone === undefined ? { visibility, organization } : undefined
  return (
    <FormModal<RuleFields>
      {...state}
      title={t`Rule for new bookmarks`}
      size={520}
      initialValues={{ query: body.query, tags: body.tags ?? [], place, copy: body.copy ?? false, alsoNow: false }}
      action={t`Save rule`}
      onSubmit={({ query, tags, place, copy, alsoNow }) => {
        const wanted = { query: query.trim(), tags, copy, ...place }
        return rule ? change.mutateAsync({ rule, body: wanted }) : save.mutateAsync({ body: wanted, alsoNow })
      }}
    >
      {(form) => <Fields form={form} isNew={rule === undefined} gone={gone} />}
    </FormModal>
  )
}

interface FieldsProps {
  form: UseFormReturnType<RuleFields>
  /** One that is changed is applied in the settings. */
  isNew: boolean
  /** The name of its organization, if that was deleted. */
  gone: string | undefined
}

/** The query with how many bookmarks match it, and what these get. */
function Fields({ form, isNew, gone }: FieldsProps) {
  const { query, tags, place, copy } = form.values
  const onlyCopies = copy && tags.length === 0 && place === undefined
  const isTyped = query.trim() !== ''
  const { data, error } = useQuery(matchesOptions(query.trim(), place !== undefined))
  const count = isTyped && !error ? data : undefined
  return (
    <>
      <TextInput
        label={t`Bookmarks that match`}
        description={t`Words and filters, as in the search field: rust, site:github.com, type:image`}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('query')}
        error={isTyped && error?.message}
      />
      <Text size="sm" c="dimmed" role="status">
        {count === undefined ? ' ' : plural(count, { one: '# bookmark matches now.', other: '# bookmarks match now.' })}
      </Text>
      <TagsField label={t`Add tags`} value={tags} onChange={(tags) => form.setValues({ tags })} />
      <PlaceSelect
        label={t`Change visibility`}
        placeholder={t`Leave as it is`}
        description={place && t`Applies to your own bookmarks, not to those of organizations.`}
        value={place}
        error={gone !== undefined && !place ? t`“${gone}” was deleted. Choose another place.` : undefined}
        onChange={(place) => form.setValues({ place })}
        clear={{ label: t`Leave the visibility as it is`, run: () => form.setFieldValue('place', undefined) }}
      />
      <Checkbox
        label={t`Save a copy of the page`}
        description={t`If the browser extension saves the page. Allow it there once: select “Save a copy of the page” when you save one.`}
        {...form.getInputProps('copy', { type: 'checkbox' })}
      />
      {isNew && !onlyCopies && count !== undefined && count > 0 && (
        <Checkbox
          label={plural(count, {
            one: 'Apply it to the bookmark that matches now, too',
            other: 'Apply it to the # bookmarks that match now, too'
          })}
          {...form.getInputProps('alsoNow', { type: 'checkbox' })}
        />
      )}
    </>
  )
}
