/** Forms: their fields, the button that submits, and why the service refused what was sent. */
import { t } from '@lingui/core/macro'
import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { errorText } from '../lib/problem-text.ts'
import { notifyError } from './notify.tsx'

/** The state of a dialog, which stays mounted while it closes. */
export interface DialogState {
  opened: boolean
  onClose(): void
}

/** A modal that returns the focus even if it is open when it is mounted. Mantine's would not return it then. */
export function Dialog({ opened, ...props }: ModalProps) {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return <Modal {...props} opened={opened && isMounted} />
}

interface FormProps<Values extends object> {
  initialValues: Values
  /** Returns the messages of invalid fields; they are shown when the form is submitted. */
  validate?: ((values: Values) => Partial<Record<keyof Values, ReactNode>>) | undefined
  /** The verb on the button that submits. */
  action: string | ((values: Values) => string)
  /** Whether the action cannot be undone. */
  danger?: boolean
  canSubmit?: (values: Values) => boolean
  /** The field that shows why the service refused; without one the reason is shown above the buttons. */
  faultAt?: keyof Values & string
  onSubmit(values: Values, form: UseFormReturnType<Values>): unknown
  onCancel?: (() => void) | undefined
  /** More buttons after the one that submits. */
  buttons?: ReactNode
  /** `dialog`: buttons are at the end. `row`: fields and buttons are in one row. `page`: buttons are at the start. */
  layout?: 'dialog' | 'row' | 'page'
  /** Whether the submit button has the focus first. */
  focusAction?: boolean
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/** Fields with a button that submits them. */
export function Form<Values extends object>(props: FormProps<Values>) {
  const { initialValues, validate, onSubmit, faultAt, layout = 'page' } = props
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const form = useForm<Values>({
    initialValues,
    validate: validate ? (values) => validate(values) as Record<string, ReactNode> : {},
    onValuesChange: () => setFault(undefined)
  })

  async function send(values: Values) {
    setBusy(true)
    setFault(undefined)
    try {
      await onSubmit(values, form)
    } catch (error) {
      if (faultAt === undefined) setFault(errorText(error))
      else form.setFieldError(faultAt, errorText(error))
    } finally {
      setBusy(false)
    }
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.stopPropagation() // in React's tree a form may be inside another one, but not on the page
    if (busy || props.canSubmit?.(form.values) === false) return event.preventDefault()
    form.onSubmit(send)(event)
  }
  const Layout = layout === 'row' ? Group : Stack
  const layoutProps = layout === 'row' ? { align: 'flex-start', gap: 'sm' } : { gap: 'md' }
  return (
    <form onSubmit={submit} noValidate>
      <Layout {...layoutProps}>
        {props.children(form)}
        {fault !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
        <Buttons {...props} layout={layout} values={form.values} busy={busy} />
      </Layout>
    </form>
  )
}

function Buttons<Values extends object>(props: FormProps<Values> & { values: Values; busy: boolean }) {
  const { action, danger = false, canSubmit, onCancel, buttons, layout, focusAction = false, values, busy } = props
  const submit = (
    <Button
      type="submit"
      variant={layout === 'row' ? 'default' : 'filled'}
      color={danger ? 'red.9' : undefined}
      loading={busy}
      disabled={canSubmit?.(values) === false}
      data-autofocus={focusAction || undefined}
    >
      {typeof action === 'string' ? action : action(values)}
    </Button>
  )
  const cancel = onCancel && (
    <Button variant="default" onClick={onCancel}>
      {t`Cancel`}
    </Button>
  )
  return (
    <Group
      gap="sm"
      justify={layout === 'dialog' ? 'flex-end' : 'flex-start'}
      mt={layout === 'row' ? 'auto' : undefined}
    >
      {layout === 'dialog' && cancel}
      {submit}
      {buttons}
      {layout !== 'dialog' && cancel}
    </Group>
  )
}

interface FormModalProps<Values extends object> extends Omit<FormProps<Values>, 'layout' | 'onCancel'>, DialogState {
  title: string
  size?: ModalProps['size']
}

/** A dialog with a form. It closes once the service has accepted the values. */
export function FormModal<Values extends object>({ opened, onClose, title, size, ...form }: FormModalProps<Values>) {
  const isClosed = useRef(false)
  async function submit(...sent: Parameters<typeof form.onSubmit>) {
    isClosed.current = false
    try {
      await form.onSubmit(...sent)
    } catch (error) {
      // A form that was closed before the answer cannot show the error.
      if (!isClosed.current) throw error
      notifyError(error)
    }
    if (!isClosed.current) onClose()
  }
  function close() {
    isClosed.current = true
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title} size={size}>
      <Form {...form} onSubmit={submit} onCancel={close} layout="dialog" />
    </Dialog>
  )
}
