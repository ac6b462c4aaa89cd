import { t } from '@lingui/core/macro'
import { Text, TextInput } from '@mantine/core'
import type { OpenDialog } from '../shared/dialogs.ts'
import { type DialogState, FormModal } from '../ui/form-modal.tsx'

type AskProps<Kind extends OpenDialog['kind']> = DialogState & { dialog: Extract<OpenDialog, { kind: Kind }> }

/** Asks a question with the answers yes and no. */
export function Question({ dialog: { text, onAnswer, ...form }, ...state }: AskProps<'question'>) {
  return (
    <FormModal {...form} {...state} initialValues={{}} focusAction onSubmit={() => onAnswer(true)}>
      {() => (
        <Text size="sm" component="div">
          {text}
        </Text>
      )}
    </FormModal>
  )
}

/** Asks for a name. */
export function NameForm({ dialog: { name = '', missing, onSubmit, ...form }, ...state }: AskProps<'name'>) {
  return (
    <FormModal
      {...form}
      {...state}
      initialValues={{ name }}
      validate={({ name }) => (name.trim() === '' ? { name: missing } : {})}
      faultAt="name"
      onSubmit={({ name }) => onSubmit(name.trim())}
    >
      {(fields) => (
        <TextInput
          label={t`Name`}
          onFocus={(event) => event.currentTarget.select()}
          maxLength={80}
          autoComplete="off"
          data-autofocus
          required
          {...fields.getInputProps('name', { withFocus: false })}
        />
      )}
    </FormModal>
  )
}
