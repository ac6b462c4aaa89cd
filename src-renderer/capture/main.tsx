import { createRoot } from 'react-dom/client'
import { loadTexts } from '../lib/locale.ts'
import { Entry } from './entry.tsx'
import { Find } from './find.tsx'
import { useCapture } from './use-capture.ts'
import './capture.css'

const element = document.getElementById('capture')
if (element) void loadTexts().finally(() => createRoot(element).render(<Capture />))

/** The whole window, in capture mode or in search mode. */
function Capture() {
  const capture = useCapture()
  return capture.finding ? (
    <Find
      key={capture.round}
      isWaiting={capture.isWaiting}
      onBack={capture.stopFinding}
      onClose={capture.close}
      onOpen={capture.openBookmark}
    />
  ) : (
    <Entry capture={capture} />
  )
}
