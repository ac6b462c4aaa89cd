import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useSavedSearches, useSearchChanges } from '../../../shared/saved-searches.ts'
import { common } from '../../../strings/common.ts'
import { searches as strings } from '../../../strings/searches.ts'
import { useChips } from './filter-chips.tsx'
import { isFiltered, isShown, type View, viewAddress } from './view.ts'

const NameDialog = lazy(() => import('../../../shared/name-dialog.tsx').then((file) => ({ default: file.NameDialog })))

/** Maximum length of the suggested name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 60

/** Keeps what the list shows under a name, where something is held back and it is not kept already. */
export function SaveSearch({ view }: { view: View }) {
  const chips = useChips(view)
  const saved = useSavedSearches().data
  const { save } = useSearchChanges()
  const [asking, setAsking] = useState<boolean>()
  if (!isFiltered(view) || !saved || saved.some(({ address }) => isShown(address, view))) return null
  return (
    <>
      <Button size="compact-sm" variant="subtle" onClick={() => setAsking(true)}>
        {strings.save}
      </Button>
      {asking !== undefined && (
        <Suspense>
          <NameDialog
            opened={asking}
            title={strings.saveTitle}
            action={common.save}
            name={[view.words.trim(), ...chips.map(({ label }) => label)].join(' ').trim().slice(0, MAX_NAME_LENGTH)}
            missing={strings.nameMissing}
            onSubmit={(chosen) => save.mutateAsync({ name: chosen, address: viewAddress(view) })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
