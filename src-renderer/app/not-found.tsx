import { useLocation } from 'wouter'
import { Page } from '../shared/page.tsx'
import { shell } from '../strings/shell.ts'
import { IconSearchOff } from '../ui/icons/icons.ts'
import { Nothing } from '../ui/nothing.tsx'

export function NotFound() {
  const [, go] = useLocation()
  return (
    <Page title={shell.notFound}>
      <Nothing
        icon={<IconSearchOff size={34} stroke={1.3} />}
        title={shell.nothingThere}
        text={shell.nothingThereText}
        action={{ label: shell.toAll, run: () => go('/') }}
      />
    </Page>
  )
}
