import { quoteView } from '../../../domain/operations/quote.js';
import { createQuote } from '../../../services/operations/create-quote.js';
import type { PublicPlane } from '../plane.js';
import { createQuoteRoute } from '../../../contract/public/routes/quotes.js';

export function serveQuotes(plane: PublicPlane): void {
  plane.serveWrite(createQuoteRoute, (uow, { body }) => quoteView(createQuote(uow, body)));
}
