import { t } from '@lingui/core/macro'
import { Anchor, Box, Button, Flex, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { elementAddress, type ShownBookmark } from '../../../api/client.ts'
import { pictureOptions, similarOptions } from '../../../api/queries.ts'
import { titleOf } from '../../../lib/labels.ts'
import { fileSize, number } from '../../../lib/locale.ts'
import { openBookmark } from '../../../lib/opened.ts'
import { copyText } from '../../../ui/copy.ts'
import { IconCopy, IconMaximize } from '../../../ui/icons/icons.ts'
import { Cover, Picture, useColorForms } from '../list/cover.tsx'
import classes from './panel.module.css'

/** A bookmark's color or picture. Texts, and links without a picture, are their fields. */
export function Preview({ bookmark }: { bookmark: ShownBookmark }) {
  if (bookmark.type === 'color') return <ColorPreview id={bookmark.id} color={bookmark.content} />
  if (bookmark.type !== 'image' && bookmark.preview === null) return null
  return (
    <>
      <Flex h={150} mb="0.75rem" bd="1px solid var(--earmark-line)" bdrs="md" style={{ overflow: 'hidden' }}>
        <Cover bookmark={bookmark} />
      </Flex>
      {bookmark.preview === null && !bookmark.url?.startsWith('data:') && (
        <Text size="xs" c="dimmed" mt={4}>
          {t`Pictures of other sites are not loaded`}
        </Text>
      )}
      {bookmark.type === 'image' && <PictureDetails bookmark={bookmark} />}
    </>
  )
}

function ColorPreview({ id, color }: { id: string; color: string }) {
  const forms = useColorForms(color)
  return (
    <>
      <Box className={classes.swatch} h={110} mb="0.5rem" bdrs="md" style={{ backgroundColor: color }} />
      <Stack gap={2} mt="0.6rem">
        {forms?.map((form) => (
          <UnstyledButton
            key={form}
            className={classes.line ?? ''}
            ff="monospace"
            fz="xs"
            style={{ alignItems: 'center' }}
            aria-label={t`Copy ${form}`}
            onClick={() => copyText(form)}
          >
            {form}
            <IconCopy size={15} color="var(--mantine-color-dimmed)" />
          </UnstyledButton>
        ))}
      </Stack>
      <SimilarColors id={id} color={color} />
    </>
  )
}

/** An image's picture itself, if it is kept, and its colors with bookmarks of similar ones. */
function PictureDetails({ bookmark }: { bookmark: ShownBookmark }) {
  const { data } = useQuery(pictureOptions(bookmark.id))
  if (!data) return null
  return (
    <>
      {bookmark.picture !== null && data.original && (
        <Original hash={bookmark.picture} title={titleOf(bookmark)} facts={data.original} />
      )}
      {data.colors.length > 0 && <Colors id={bookmark.id} colors={data.colors.map(({ color }) => color)} />}
    </>
  )
}

interface OriginalProps {
  hash: string
  title: string
  facts: { type: string; width: number; height: number; size: number }
}

/** It opens over the page: the desktop's window leads to no other. */
function Original({ hash, title, facts: { type, width, height, size } }: OriginalProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const address = elementAddress(`/api/pictures/originals/${hash}`)
  const kind = type.replace('image/', '')
  return (
    <Group justify="space-between" mt={6}>
      <Text size="xs" c="dimmed">
        {`${kind.toUpperCase()}, ${number(width)} × ${number(height)}, ${fileSize(size)}`}
      </Text>
      <Button size="compact-sm" variant="light" leftSection={<IconMaximize size={15} />} onClick={open}>
        {t`Whole picture`}
      </Button>
      <Modal opened={opened} onClose={close} title={title} size="auto">
        <Stack gap="sm" align="center">
          <img style={{ maxWidth: '100%', height: 'auto' }} src={address} alt={title} width={width} height={height} />
          <Anchor href={address} download={`${title}.${kind}`} size="sm">
            {t`Save a copy`}
          </Anchor>
        </Stack>
      </Modal>
    </Group>
  )
}

/** The picture's colors, one of them chosen, and below what is like that one. */
function Colors({ id, colors }: { id: string; colors: string[] }) {
  const [chosen, setChosen] = useState<string>()
  const color = chosen !== undefined && colors.includes(chosen) ? chosen : (colors[0] ?? '')
  return (
    <>
      <Group component="section" gap={6} mb="0.75rem" aria-label={t`Colors of the picture`}>
        {colors.map((one) => (
          <button
            key={one}
            type="button"
            className={classes.color}
            style={{ backgroundColor: one }}
            title={t`Colors and images like ${one}`}
            aria-label={t`Colors and images like ${one}`}
            aria-pressed={one === color}
            onClick={() => setChosen(one)}
          />
        ))}
      </Group>
      <SimilarColors id={id} color={color} />
    </>
  )
}

/** The owner's colors and images that look like a color, nearest first, each to be opened. */
function SimilarColors({ id: like, color }: { id: string; color: string }) {
  const { data } = useQuery(similarOptions(like, color))
  if (!data || data.colors.length + data.images.length === 0) return null
  return (
    <section aria-label={t`Similar colors`}>
      <Text component="h2" size="sm" fw={500} mt="sm" mb={6}>
        {t`Similar colors`}
      </Text>
      <Group gap={6} mb="0.75rem">
        {[...data.colors, ...data.images].map(({ bookmark }) => {
          const { id, type, content, preview } = bookmark
          const name = titleOf(bookmark)
          return (
            <button
              key={id}
              type="button"
              className={classes.color}
              style={type === 'color' ? { backgroundColor: content } : undefined}
              title={name}
              aria-label={name}
              onClick={() => openBookmark(id)}
            >
              {preview !== null && <Picture name={preview} className={classes.image ?? ''} />}
            </button>
          )
        })}
      </Group>
    </section>
  )
}
