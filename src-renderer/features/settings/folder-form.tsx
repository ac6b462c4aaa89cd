import { t } from '@lingui/core/macro'
import { Button, TextInput } from '@mantine/core'
import { useChangeSettings } from '../../api/mutations.ts'
import { Form } from '../../ui/form-modal.tsx'
import { notify, notifyError } from '../../ui/notify.tsx'

interface FolderFormProps {
  /** The name of the setting. */
  name: 'backupFolder' | 'markdownFolder'
  folder: string | null
  label: string
  description: string
  placeholder: string
  /** The label of the button that clears the setting. */
  stop: string
  /** Returns the notice after a change. `null`: no folder. */
  outcome(folder: string | null): string
  onChanged(): Promise<unknown>
}

/** Chooses a folder to which Earmark writes files. */
export function FolderForm({ name, folder, label, description, placeholder, stop, ...props }: FolderFormProps) {
  const changing = useChangeSettings({ quiet: true })
  async function save(chosen: string | null) {
    try {
      await changing.mutateAsync({ [name]: chosen })
      notify(props.outcome(chosen))
    } finally {
      await props.onChanged()
    }
  }
  return (
    <Form
      key={folder}
      layout="row"
      initialValues={{ folder: folder ?? '' }}
      action={t`Save`}
      canSubmit={(values) => values.folder.trim() !== '' && values.folder.trim() !== folder}
      faultAt="folder"
      onSubmit={(values) => save(values.folder.trim())}
      buttons={
        folder !== null && (
          <Button variant="default" onClick={() => void save(null).catch(notifyError)} disabled={changing.isPending}>
            {stop}
          </Button>
        )
      }
    >
      {(form) => (
        <TextInput
          label={label}
          description={description}
          placeholder={placeholder}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          spellCheck={false}
          flex="1 1 18rem"
          {...form.getInputProps('folder')}
        />
      )}
    </Form>
  )
}
