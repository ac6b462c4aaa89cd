import {
  Alert,
  Button,
  CloseButton,
  FileButton,
  Group,
  Modal,
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
import { titleOf } from '../../../lib/labels.ts'
import { closeDialog, startAdding, useDialog } from '../../../shared/dialogs.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { common } from '../../../strings/common.ts'
import { IconPhoto } from '../../../ui/icons/icons.ts'
import { notifyWithActions } from '../../../ui/notify.tsx'
import { Thumb } from '../../../ui/thumb.tsx'
import { PlaceSelect } from '../place-select.tsx'
import { OfferedTags, TagsField } from '../tags-field.tsx'
import { pastedPicture, titleOfFile } from './picture-file.ts'
import { forgetDraft, isNothing, keepDraft, keptDraft, useNewBookmark } from './use-new-bookmark.ts'

/** Adds a bookmark of any type. What it is shows while it is typed, and can be switched. */
export function AddDialog({ onOpen }: { onOpen: (id: string) => void }) {
  const adding = useDialog('add')
  return (
    <Modal opened={adding !== undefined} onClose={closeUnsaved} title={strings.addTitle} size={520}>
      {adding && <AddForm begun={adding} onOpen={onOpen} />}
    </Modal>
  )
}

/** Closes the dialog, which Escape does by accident too: the next one begins with what was typed. */
function closeUnsaved(): void {
  closeDialog('add')
  if (keptDraft()) notifyWithActions(strings.draftKept, [{ label: strings.draftContinue, run: () => startAdding() }])
}

/** Closes the dialog and discards what was typed, unless the notification's button takes it back. */
function cancel(): void {
  const draft = keptDraft()
  forgetDraft()
  closeDialog('add')
  if (!draft) return
  const restore = () => {
    keepDraft(draft)
    startAdding()
  }
  notifyWithActions(strings.draftDiscarded, [{ label: common.undo, run: restore }])
}

/** Typing goes on behind what is there. */
function toEnd({ currentTarget: field }: FocusEvent<HTMLTextAreaElement>): void {
  field.setSelectionRange(field.value.length, field.value.length)
}

interface AddFormProps {
  begun: { text: string; picture?: File }
  onOpen: (id: string) => void
}

function AddForm({ begun, onOpen }: AddFormProps) {
  const adding = useNewBookmark(begun, onOpen)
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
          aria-label={strings.addType}
          value={type}
          onChange={(value) =>
            set({ type: value as BookmarkType, picture: value === 'image' ? draft.picture : undefined })
          }
          data={Object.entries(strings.types).map(([value, label]) => ({ value, label }))}
        />
        {type === 'image' && !draft.picture && <ChoosePicture onChoose={(picture) => set({ picture })} />}
        {existing && <Existing bookmark={existing} opens={lacks !== undefined && isNothing(lacks)} onOpen={onOpen} />}
        {several ? (
          <Text size="sm" role="status">
            {strings.several(several.length)}
          </Text>
        ) : (
          <TextInput
            label={strings.title}
            placeholder={titleHint(type, draft.picture)}
            maxLength={LIMITS.title}
            value={draft.title}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
        )}
        <TagsField label={strings.tags} value={draft.tags} onChange={(tags) => set({ tags })} />
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

/** The picture that was chosen, or a field for an address, a color or a text. */
function MainField({ adding: { draft, set, type, problem, save } }: { adding: Adding }) {
  if (draft.picture) {
    return <Chosen picture={draft.picture} problem={problem} onRemove={() => set({ picture: undefined })} />
  }
  function onKeyDown(event: KeyboardEvent) {
    // A text may have more than one line.
    if (event.key !== 'Enter' || event.shiftKey || (type === 'text' && !event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    save()
  }
  return (
    <Textarea
      label={strings.addField}
      placeholder={strings.addHint}
      autosize
      minRows={1}
      maxRows={10}
      maxLength={LIMITS.content}
      value={draft.text}
      onChange={(event) => set({ text: event.currentTarget.value })}
      onKeyDown={onKeyDown}
      onFocus={toEnd}
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
          {strings.startOver}
        </Button>
      )}
      <Button variant="default" onClick={cancel}>
        {common.cancel}
      </Button>
      <Button type="submit" disabled={!draft.picture && draft.text.trim() === ''} loading={isPending}>
        {saveLabel(several, lacks)}
      </Button>
    </Group>
  )
}

/** Returns the label of the button Save. */
function saveLabel(several: string[] | undefined, lacks: Adding['lacks']): string {
  if (several) return strings.saveSeveral(several.length)
  if (!lacks) return common.save
  if (isNothing(lacks)) return strings.alreadyOpen
  if (lacks.tags.length === 0) return strings.useTitle
  return lacks.title === undefined ? strings.addTheseTags : strings.useBoth
}

/** Returns the title the bookmark gets if none is typed. */
function titleHint(type: BookmarkType, picture: File | undefined): string {
  if (picture) return titleOfFile(picture)
  return type === 'link' || type === 'image' ? strings.titleHint : ''
}

/** Instead of an address, the picture itself. */
function ChoosePicture({ onChoose }: { onChoose: (picture: File) => void }) {
  return (
    <Group gap="sm">
      <FileButton accept={PICTURES} onChange={(file) => file && onChoose(file)}>
        {(props) => (
          <Button {...props} size="compact-sm" variant="default" leftSection={<IconPhoto size={15} />}>
            {strings.choosePicture}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">
        {strings.pasteNote}
      </Text>
    </Group>
  )
}

const PICTURES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

interface ChosenProps {
  picture: File
  problem: string | undefined
  onRemove(): void
}

function Chosen({ picture, problem, onRemove }: ChosenProps) {
  return (
    <>
      <Group wrap="nowrap">
        <Thumb picture={picture} size={72} />
        <Text size="sm" flex={1} truncate>
          {picture.name}
        </Text>
        <CloseButton aria-label={strings.removePicture} onClick={onRemove} />
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
  /** The button that saves opens it. */
  opens: boolean
  onOpen: (id: string) => void
}

function Existing({ bookmark, opens, onOpen }: ExistingProps) {
  return (
    <Alert color="indigo" title={strings.already} role="status">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" lineClamp={2}>
          {strings.alreadyText(titleOf(bookmark), longDate(bookmark.createdAt))}
        </Text>
        {!opens && (
          <Button
            size="xs"
            variant="default"
            flex="none"
            onClick={() => {
              forgetDraft()
              closeDialog('add')
              onOpen(bookmark.id)
            }}
          >
            {strings.alreadyOpen}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
