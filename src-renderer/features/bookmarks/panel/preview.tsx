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

/** The color or the picture of a bookmark. Texts, and links without a picture, have no preview. */
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

/** The original of an image, if it is stored, and its colors with bookmarks of similar colors. */
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

/** The facts about an original. It opens in a dialog, because the desktop window cannot open another page. */
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

/** The colors of a picture, and the bookmarks that are similar to the chosen one. */
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

/** Buttons that open the colors and images that are similar to a color, most similar first. */
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
