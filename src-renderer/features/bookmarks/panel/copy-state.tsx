import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, ask, elementAddress, type ShownBookmark } from '../../../api/client.ts'
import { notifyWithUndo } from '../../../api/undo.ts'
import { longDate } from '../../../lib/dates.ts'
import { titleOf } from '../../../lib/labels.ts'
import { fileSize } from '../../../lib/locale.ts'
import { showDialog } from '../../../shared/dialogs.ts'
import { Dialog, type DialogState } from '../../../ui/form-modal.tsx'
import classes from './panel.module.css'
import { OpenButton } from './tools.tsx'

interface CopyProps {
  bookmark: ShownBookmark
  copy: { size: number; savedAt: string | null; isMissing: boolean }
}

/** The copy of a bookmark's page, with buttons that show and delete it. */
export function CopyState({ bookmark, copy }: CopyProps) {
  const { id } = bookmark
  const deleting = useMutation({
    mutationFn: () => ask(api.bookmarks[':id'].copy.$delete({ param: { id } })),
    meta: { changes: ['details'] },
    onSuccess: ({ undo }) => notifyWithUndo(t`Copy deleted.`, undo)
  })
  return (
    <>
      <Text size="xs" c="dimmed">
        {copy.isMissing ? t`The file of this copy is missing.` : copyName(copy)}
      </Text>
      <Group gap={6}>
        {!copy.isMissing && (
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => showDialog((state) => <CopyDialog {...state} bookmark={bookmark} copy={copy} />)}
          >
            {t`Show copy`}
          </Button>
        )}
        <Button size="compact-sm" variant="default" loading={deleting.isPending} onClick={() => deleting.mutate()}>
          {t`Delete copy`}
        </Button>
      </Group>
    </>
  )
}

function copyName({ savedAt, size }: CopyProps['copy']): string {
  return t`Copy of ${longDate(savedAt ?? '')}, ${fileSize(size)}`
}

/** Shows a copy in a sandboxed frame, which can run no scripts. */
function CopyDialog({ bookmark, copy, ...state }: CopyProps & DialogState) {
  return (
    <Dialog
      {...state}
      fullScreen
      title={copyName(copy)}
      classNames={{ content: classes.copy ?? '', body: classes.copy ?? '' }}
    >
      <Group mb="xs">
        <OpenButton bookmark={bookmark} label={t`Open original`} />
      </Group>
      <iframe
        sandbox=""
        title={titleOf(bookmark)}
        src={elementAddress(`/api/bookmarks/${bookmark.id}/copy`)}
        className={classes.frame}
      />
    </Dialog>
  )
}
