import { plural, t } from '@lingui/core/macro'
import {
  Alert,
  Button,
  CloseButton,
  FileButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput
} from '@mantine/core'
import type { FocusEvent, KeyboardEvent } from 'react'
import { type BookmarkType, LIMITS } from '../../../../src-main/contract/bookmark.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import { longDate } from '../../../lib/dates.ts'
import { optionsOf, TYPE_NAMES, titleOf } from '../../../lib/labels.ts'
import { number } from '../../../lib/locale.ts'
import { closeDialog, startAdding } from '../../../shared/dialogs.ts'
import { Dialog, type DialogState } from '../../../ui/form-modal.tsx'
import { IconPhoto } from '../../../ui/icons/icons.ts'
import { notify } from '../../../ui/notify.tsx'
import { PlaceSelect } from '../place-select.tsx'
import { OfferedTags, TagsField } from '../tags-field.tsx'
import { pastedPicture, Thumb, titleOfFile } from './picture-file.tsx'
import { isNothing, readDraft, removeDraft, useNewBookmark, writeDraft } from './use-new-bookmark.ts'

/** Adds a bookmark of any type. The type is detected while the user types, and can be changed. */
export function AddDialog({ opened, initial, onOpen }: AddFormProps & DialogState) {
  return (
    <Dialog opened={opened} onClose={closeUnsaved} title={t`Add a bookmark`} size={520}>
      <AddForm initial={initial} onOpen={onOpen} />
    </Dialog>
  )
}

/** Closes the dialog and keeps the draft for the next one, because Escape may be pressed by accident. */
function closeUnsaved(): void {
  closeDialog()
  if (readDraft()) notify(t`Not saved yet. What you typed is kept.`, [{ label: t`Continue`, run: () => startAdding() }])
}

/** Closes the dialog and discards the draft. A notice offers to restore it. */
function cancel(): void {
  const draft = readDraft()
  removeDraft()
  closeDialog()
  if (!draft) return
  const restore = () => {
    writeDraft(draft)
    startAdding()
  }
  notify(t`Discarded.`, [{ label: t`Undo`, run: restore }])
}

/** Moves the caret to the end. */
function moveToEnd({ currentTarget: field }: FocusEvent<HTMLTextAreaElement>): void {
  field.setSelectionRange(field.value.length, field.value.length)
}

interface AddFormProps {
  initial: { text: string; picture?: File | undefined }
  onOpen: (id: string) => void
}

function AddForm({ initial, onOpen }: AddFormProps) {
  const adding = useNewBookmark(initial, onOpen)
  const { draft, set, type, existing, lacks, several } = adding
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        adding.save()
      }}
      onPaste={(event) => {
        const picture = pastedPicture(event)
        if (picture) set({ picture })
      }}
    >
      <Stack gap="sm">
        <MainField adding={adding} />
        <SegmentedControl
          aria-label={t`Type`}
          value={type}
          onChange={(value) =>
            set({ type: value as BookmarkType, picture: value === 'image' ? draft.picture : undefined })
          }
          data={optionsOf(TYPE_NAMES)}
        />
        {type === 'image' && !draft.picture && <ChoosePicture onChoose={(picture) => set({ picture })} />}
        {existing && <Existing bookmark={existing} opens={lacks !== undefined && isNothing(lacks)} onOpen={onOpen} />}
        {several ? (
          <Text size="sm" role="status">
            {t`${number(several.length)} addresses: each becomes a bookmark.`}
          </Text>
        ) : (
          <TextInput
            label={t`Title`}
            placeholder={titleHint(type, draft.picture)}
            maxLength={LIMITS.title}
            value={draft.title}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
        )}
        <TagsField label={t`Tags`} value={draft.tags} onChange={(tags) => set({ tags })} />
        <OfferedTags
          about={{
            url: adding.url ?? '',
            title: draft.title || (type === 'text' ? draft.text.slice(0, LIMITS.title) : '')
          }}
          tags={draft.tags}
          onTake={(tag) => set({ tags: [...draft.tags, tag] })}
        />
        {draft.place && <PlaceSelect value={draft.place} onChange={(place) => set({ place })} />}
        <Buttons adding={adding} />
      </Stack>
    </form>
  )
}

type Adding = ReturnType<typeof useNewBookmark>

/** The chosen picture, or a field for an address, a color or a text. */
function MainField({ adding: { draft, set, type, problem, save } }: { adding: Adding }) {
  if (draft.picture) {
    return <ChosenPicture picture={draft.picture} problem={problem} onRemove={() => set({ picture: undefined })} />
  }
  function onKeyDown(event: KeyboardEvent) {
    // In a text, Enter begins a new line.
    if (event.key !== 'Enter' || event.shiftKey || (type === 'text' && !event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    save()
  }
  return (
    <Textarea
      label={t`What to save`}
      placeholder={t`Paste or type an address, a color, or any text`}
      autosize
      minRows={1}
      maxRows={10}
      maxLength={LIMITS.content}
      value={draft.text}
      onChange={(event) => set({ text: event.currentTarget.value })}
      onKeyDown={onKeyDown}
      onFocus={moveToEnd}
      error={problem}
      data-autofocus
    />
  )
}

function Buttons({ adding: { draft, several, lacks, isPending, restored, startOver } }: { adding: Adding }) {
  return (
    <Group justify="flex-end" mt="xs">
      {restored && (
        <Button variant="subtle" color="gray" mr="auto" onClick={startOver}>
          {t`Start over`}
        </Button>
      )}
      <Button variant="default" onClick={cancel}>
        {t`Cancel`}
      </Button>
      <Button type="submit" disabled={!draft.picture && draft.text.trim() === ''} loading={isPending}>
        {saveLabel(several, lacks)}
      </Button>
    </Group>
  )
}

function saveLabel(several: string[] | undefined, lacks: Adding['lacks']): string {
  if (several) return t`Save ${plural(several.length, { one: '# bookmark', other: '# bookmarks' })}`
  if (!lacks) return t`Save`
  if (isNothing(lacks)) return t`Open it`
  if (lacks.tags.length === 0) return t`Use this title`
  return lacks.title === undefined ? t`Add these tags` : t`Use this title, add these tags`
}

/** Returns the placeholder of the title: where the title comes from if none is typed. */
function titleHint(type: BookmarkType, picture: File | undefined): string {
  if (picture) return titleOfFile(picture)
  return type === 'link' || type === 'image' ? t`Taken from the page when left empty` : ''
}

/** Chooses the file of a picture, in place of an address. */
function ChoosePicture({ onChoose }: { onChoose: (picture: File) => void }) {
  return (
    <Group gap="sm">
      <FileButton accept={PICTURES} onChange={(file) => file && onChoose(file)}>
        {(props) => (
          <Button {...props} size="compact-sm" variant="default" leftSection={<IconPhoto size={15} />}>
            {t`Choose a picture…`}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">
        {t`or paste one, such as a screenshot`}
      </Text>
    </Group>
  )
}

const PICTURES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

interface ChosenPictureProps {
  picture: File
  problem: string | undefined
  onRemove(): void
}

function ChosenPicture({ picture, problem, onRemove }: ChosenPictureProps) {
  return (
    <>
      <Group wrap="nowrap">
        <Thumb picture={picture} size={72} />
        <Text size="sm" flex={1} truncate>
          {picture.name}
        </Text>
        <CloseButton aria-label={t`Remove the picture`} onClick={onRemove} />
      </Group>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </>
  )
}

interface ExistingProps {
  bookmark: ShownBookmark
  /** Whether the submit button opens it. */
  opens: boolean
  onOpen: (id: string) => void
}

function Existing({ bookmark, opens, onOpen }: ExistingProps) {
  return (
    <Alert color="indigo" title={t`Already saved on ${longDate(bookmark.createdAt)}`} role="status">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" lineClamp={2}>
          {titleOf(bookmark)}
        </Text>
        {!opens && (
          <Button
            size="xs"
            variant="default"
            flex="none"
            onClick={() => {
              removeDraft()
              closeDialog()
              onOpen(bookmark.id)
            }}
          >
            {t`Open it`}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
