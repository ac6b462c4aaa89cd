import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { ShownBookmark } from '../../../api/client.ts'
import { copyText } from '../../../ui/copy.ts'
import { IconCopy } from '../../../ui/icons/icons.ts'
import { Cover, useColorForms } from '../list/cover.tsx'
import classes from './panel.module.css'
import { PictureDetails, SimilarColors } from './picture-details.tsx'

/** A bookmark's color or picture. Texts, and links without a picture, are their fields. */
export function Preview({ bookmark }: { bookmark: ShownBookmark }) {
  if (bookmark.type === 'color') return <ColorPreview id={bookmark.id} color={bookmark.content} />
  if (bookmark.type !== 'image' && bookmark.preview === null) return null
  return (
    <>
      <div className={classes.picture}>
        <Cover bookmark={bookmark} />
      </div>
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
      <div className={classes.swatch} style={{ backgroundColor: color }} />
      <div className={classes.forms}>
        {forms?.map((form) => (
          <button
            key={form}
            type="button"
            className={classes.form}
            aria-label={t`Copy ${form}`}
            onClick={() => copyText(form)}
          >
            {form}
            <IconCopy size={15} />
          </button>
        ))}
      </div>
      <SimilarColors id={id} color={color} />
    </>
  )
}
