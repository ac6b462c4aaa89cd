import { Text } from '@mantine/core'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { bookmarks as strings } from '../../../strings/bookmarks.ts'
import { IconCopy } from '../../../ui/icons/icons.ts'
import { Cover } from '../list/cover.tsx'
import { useColorForms } from '../use-color-forms.ts'
import classes from './panel.module.css'
import { PictureDetails } from './picture-details.tsx'
import { SimilarColors } from './similar-colors.tsx'

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
          {strings.notShown}
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
            aria-label={strings.copyColor(form)}
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
