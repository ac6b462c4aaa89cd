import { capture as strings } from '../strings/capture.ts'
import { common } from '../strings/common.ts'
import { LIST_ID, optionId, type useTagOffers } from './use-tag-offers.ts'

/** The tags that are offered, over the lower part of the window. The first is taken with Tab, any with a click. */
export function TagOffers({ offers }: { offers: ReturnType<typeof useTagOffers> }) {
  const { tags, chosen } = offers
  return (
    <>
      <p className="unseen" aria-live="polite">
        {tags.length > 0 && strings.offered(tags.length)}
      </p>
      {tags.length > 0 && (
        <div id={LIST_ID} className="offers" role="listbox" aria-label={strings.tags}>
          {tags.map((tag, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, and keeps the focus
            <div
              key={tag.name}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => offers.take(tag.name)}
            >
              <span className="name">#{tag.name}</span>
              <span className="count">{common.number(tag.bookmarks)}</span>
              {index === chosen && <kbd aria-hidden>{strings.take}</kbd>}
            </div>
          ))}
        </div>
      )}
    </>
  )
}
