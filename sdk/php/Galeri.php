<?php
// Client of the Galeri API in one file, for PHP 8.1 and later, without extensions or packages of its own.
declare(strict_types=1);

namespace Galeri;

/** Answers are the reply's `data`: arrays with the API's field names, money as strings. */
final class Client
{
    /** Released together with the service, under the same version. */
    public const VERSION = '1.0.0';

    private const RETRIED = [429, 500, 502, 503, 504];

    /** The isolated sandbox of the account: reset, clock, rules, messages. Only with a sandbox key, on services that have it. */
    public readonly Sandbox $sandbox;

    public function __construct(
        #[\SensitiveParameter] private readonly string $key,
        /** `https://galeri.example`, with or without `/api/v1`. */
        private readonly string $baseUrl,
        /** `en` or `tr`: the language of messages. */
        private readonly string $language = 'en',
        private readonly int $timeoutSeconds = 30,
        /** How often a request is sent again after a 429, a 500, 502, 503 or 504, or a broken connection. */
        private readonly int $maxRetries = 4,
        /** Named in the User-Agent before the client itself: `our-erp/4.2`. */
        private readonly string $userAgent = '',
    ) {
        if ($key === '') throw new \InvalidArgumentException('the key is empty');
        if (!preg_match('#^https?://#', $baseUrl)) throw new \InvalidArgumentException('baseUrl begins with http:// or https://');
        $this->sandbox = new Sandbox($this);
    }

    /** @param array<string, scalar|\DateTimeInterface|list<scalar>|null> $query */
    public function get(string $path, array $query = []): array
    {
        return $this->send('GET', $path, $query)->data;
    }

    /** A conditional read: null while the reply still has this ETag. @param array<string, scalar|\DateTimeInterface|list<scalar>|null> $query */
    public function getIfChanged(string $path, ?string $etag, array $query = []): ?Reply
    {
        $reply = $this->send('GET', $path, $query, null, $etag === null ? [] : ['If-None-Match' => $etag]);
        return $reply->status === 304 ? null : $reply;
    }

    /**
     * Every record of a list, page by page, by a cursor: records that exist during the whole walk come exactly once.
     * With `updated_since`: every record that changed since, oldest change first, at least once.
     *
     * @param array<string, scalar|\DateTimeInterface|list<scalar>|null> $query filters of the list
     * @return \Generator<int, array>
     */
    public function each(string $path, array $query = []): \Generator
    {
        // Records with others in them come on shorter pages.
        $query += ['limit' => isset($query['include']) ? 50 : 100];
        $cursor = 'start';
        while ($cursor !== null) {
            $reply = $this->send('GET', $path, $query + ['cursor' => $cursor]);
            foreach ($reply->data as $record) yield $record;
            $cursor = $reply->nextCursor();
        }
    }

    /** @param array<string, mixed> $body with a `File` in it, it is sent as a form */
    public function post(string $path, array $body = [], ?WriteOptions $options = null): array
    {
        return $this->write('POST', $path, $body, $options)->data;
    }

    /** @param array<string, mixed> $body */
    public function patch(string $path, array $body, ?WriteOptions $options = null): array
    {
        return $this->write('PATCH', $path, $body, $options)->data;
    }

    public function delete(string $path, ?WriteOptions $options = null): array
    {
        return $this->write('DELETE', $path, null, $options)->data;
    }

    /**
     * One request with its whole reply: status, headers, data, meta. A write carries an Idempotency-Key, the same for every try, so
     * that it happens once however often it is sent.
     *
     * @param array<string, scalar|\DateTimeInterface|list<scalar>|null> $query
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     * @param string $path of the API (`vehicles`), or of another part of the service from its beginning (`/sandbox/v1/clock`)
     */
    public function send(string $method, string $path, array $query = [], ?array $body = null, array $headers = []): Reply
    {
        if ($method !== 'GET') $headers += ['Idempotency-Key' => self::newKey()];
        for ($tries = 0; ; $tries++) {
            $reply = $this->sendOnce($method, $path, $query, $body, $headers);
            $mayRetry = $reply === null || in_array($reply->status, self::RETRIED, true) || $reply->errorCode() === 'idempotency_in_progress';
            if ($reply !== null && !$mayRetry) break;
            if ($tries >= $this->maxRetries) {
                if ($reply === null) throw new ConnectionFailed("no answer from {$this->baseUrl}");
                break;
            }
            usleep(self::waitMicroseconds($reply, $tries));
        }
        if ($reply->status >= 300 && $reply->status !== 304 || $reply->isForeign) throw ApiError::of($reply);
        return $reply;
    }

    /** @param array<string, mixed>|null $body */
    private function write(string $method, string $path, ?array $body, ?WriteOptions $options): Reply
    {
        return $this->send($method, $path, [], $body, $options?->headers() ?? []);
    }

    /** null: no answer, or not a whole one. */
    private function sendOnce(string $method, string $path, array $query, ?array $body, array $headers): ?Reply
    {
        $isSandbox = str_starts_with($path, '/sandbox/v1');
        // The documentation shows the base URL with the path of the API.
        $url = preg_replace('#/api/v1$#', '', rtrim($this->baseUrl, '/')) . ($isSandbox ? $path : '/api/v1/' . ltrim($path, '/'));
        // A move of the clock returns when everything that became due is done.
        $timeout = $isSandbox ? max(180, $this->timeoutSeconds) : $this->timeoutSeconds;
        $pairs = [];
        foreach ($query as $name => $value) if ($value !== null) $pairs[$name] = self::text($name, $value);
        if ($pairs !== []) $url .= '?' . http_build_query($pairs, '', '&', PHP_QUERY_RFC3986);
        $headers += [
            'Authorization' => "Bearer {$this->key}",
            'Accept' => 'application/json',
            'Accept-Language' => $this->language,
            'User-Agent' => ltrim($this->userAgent . ' galeri-php/' . self::VERSION),
        ];
        [$type, $content] = self::encoded($body);
        if ($content !== null) $headers['Content-Type'] = $type;
        foreach ($headers as $name => $value)
            if (preg_match('/[\r\n]/', "$name$value")) throw new \InvalidArgumentException("$name holds a line break");
        $lines = array_map(fn($name, $value) => "$name: $value", array_keys($headers), array_values($headers));
        $http = ['method' => $method, 'header' => implode("\r\n", $lines), 'ignore_errors' => true, 'timeout' => $timeout,
            'protocol_version' => 1.1, 'follow_location' => 0] + ($content === null ? [] : ['content' => $content]);
        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $http]));
        if ($stream === false) return null;
        $text = @stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        if ($text === false || $meta['timed_out']) return null;
        $reply = Reply::read($meta['wrapper_data'] ?? [], $text);
        // A truncated reply counts as no reply.
        $isWhole = $reply->status > 0 && !$reply->isTruncated && strlen($text) >= (int) ($reply->header('content-length') ?? 0);
        return $isWhole ? $reply : null;
    }

    /** Times in UTC; a list is separated by commas. */
    private static function text(string $name, mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_scalar($value) => (string) $value,
            is_array($value) => implode(',', array_map(fn($one) => self::text($name, $one), $value)),
            $value instanceof \DateTimeInterface =>
                \DateTimeImmutable::createFromInterface($value)->setTimezone(new \DateTimeZone('UTC'))->format('Y-m-d\TH:i:s.v\Z'),
            // http_build_query would drop an object: the filter would be lost without a word.
            default => throw new \InvalidArgumentException("$name is text, a number, a boolean, a date or a list of these"),
        };
    }

    /** @return array{string, ?string} the media type and the content */
    private static function encoded(?array $body): array
    {
        if ($body === null) return ['', null];
        if (array_filter($body, fn($value) => $value instanceof File) !== []) return self::form($body);
        // An empty array is a body without fields, not a list.
        $fields = $body === [] ? new \stdClass() : $body;
        return ['application/json', json_encode($fields, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE)];
    }

    /** @return array{string, string} */
    private static function form(array $fields): array
    {
        $boundary = 'galeri-' . bin2hex(random_bytes(16));
        $parts = '';
        foreach ($fields as $name => $value) {
            if ($value === null) continue;
            $quoted = self::quoted((string) $name);
            $isFile = $value instanceof File;
            $head = $isFile ? "; filename=\"" . self::quoted($value->name) . "\"\r\nContent-Type: " . self::line($value->type) : '';
            $text = $isFile ? $value->content : (is_bool($value) ? ($value ? 'true' : 'false') : (string) $value);
            $parts .= "--$boundary\r\nContent-Disposition: form-data; name=\"$quoted\"$head\r\n\r\n$text\r\n";
        }
        return ["multipart/form-data; boundary=$boundary", "$parts--$boundary--\r\n"];
    }

    /** As browsers write names in forms. */
    private static function quoted(string $name): string
    {
        return str_replace(["\r", "\n", '"'], ['%0D', '%0A', '%22'], $name);
    }

    private static function line(string $value): string
    {
        return preg_match('/[\r\n]/', $value) ? throw new \InvalidArgumentException('a media type is one line') : $value;
    }

    private static function waitMicroseconds(?Reply $reply, int $tries): int
    {
        $asked = $reply?->retryAfter();
        if ($asked !== null) return min(60, max(1, $asked)) * 1_000_000;
        return random_int(50_000, 100_000) * 2 ** $tries;
    }

    private static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }
}

/** The isolated sandbox of an account (/sandbox/v1). */
final class Sandbox
{
    public function __construct(private readonly Client $client) {}

    /** Its data, clock, and counts against the ceilings. */
    public function world(): array
    {
        return $this->client->send('GET', '/sandbox/v1')->data;
    }

    /**
     * A new sandbox under the same keys. The old one cannot be reached any more, nor can its ids, cursors and links.
     *
     * @param string $data `sample`: cars, customers, sales and more to begin with; `empty`: branches, staff, membership and wallet only
     */
    public function reset(string $data = 'sample', bool $keepWebhooks = true): array
    {
        return $this->client->send('POST', '/sandbox/v1/reset', [], ['data' => $data, 'keep_webhooks' => $keepWebhooks])->data;
    }

    /** @return array{now: string, status: string, started_at: string, latest: string, move: ?array, failure: ?string} */
    public function clock(): array
    {
        return $this->client->send('GET', '/sandbox/v1/clock')->data;
    }

    /**
     * By a duration: `30d`, `6h`, `45m`. Returns when everything that was due on the way is committed.
     *
     * @return array{from: string, to: string, transitions: array<string, int>, events: int}
     */
    public function advance(string $duration): array
    {
        return $this->client->send('POST', '/sandbox/v1/clock', [], ['advance' => $duration])->data;
    }

    /**
     * To a day, which is its first moment in the dealer's time zone, or to an instant.
     *
     * @return array{from: string, to: string, transitions: array<string, int>, events: int}
     */
    public function advanceTo(string|\DateTimeInterface $to): array
    {
        $text = is_string($to) ? $to : $to->format(\DateTimeInterface::RFC3339);
        return $this->client->send('POST', '/sandbox/v1/clock', [], ['to' => $text])->data;
    }

    /** How the simulated side answers. @return list<array<string, mixed>> */
    public function rules(): array
    {
        return $this->client->send('GET', '/sandbox/v1/rules')->data;
    }

    /**
     * Mail and messages that production would have sent, newest first; the sandbox keeps the last 500.
     *
     * @param array{limit?: int, offset?: int, channel?: string, to?: string} $query
     * @return list<array<string, mixed>>
     */
    public function messages(array $query = []): array
    {
        return $this->client->send('GET', '/sandbox/v1/messages', $query)->data;
    }
}

/** A file to upload, as one field of the body: `['file' => File::at('front.jpg'), 'caption' => 'Ön']`. */
final class File
{
    public function __construct(
        public readonly string $content,
        public readonly string $name,
        /** The media type; the service also looks at the content. */
        public readonly string $type = 'application/octet-stream',
    ) {}

    public static function at(string $path, string $type = 'application/octet-stream'): self
    {
        $content = @file_get_contents($path);
        if ($content === false) throw new \InvalidArgumentException("$path cannot be read");
        return new self($content, basename($path), $type);
    }
}

/** For one write. */
final class WriteOptions
{
    public function __construct(
        /** Your own name for the operation, where it must survive the end of your program; otherwise one is made up for each call. */
        public readonly ?string $idempotencyKey = null,
        /** Every check is made and the would-be result answered; nothing is written. */
        public readonly bool $dryRun = false,
        /** The ETag of the record as it was read: a record that has changed since is refused with 412. */
        public readonly ?string $ifMatch = null,
    ) {}

    /** @return array<string, string> */
    public function headers(): array
    {
        return array_filter([
            'Idempotency-Key' => $this->idempotencyKey,
            'X-Dry-Run' => $this->dryRun ? 'true' : null,
            'If-Match' => $this->ifMatch,
        ], fn($value) => $value !== null);
    }
}

final class Reply
{
    private function __construct(
        public readonly int $status,
        /** @var array<string, string> by names in lower case */
        private readonly array $headers,
        public readonly mixed $data,
        public readonly array $meta,
        public readonly ?array $error,
        /** The reply is not the API's: a page of a proxy, of a login, of another server. */
        public readonly bool $isForeign = false,
        public readonly bool $isTruncated = false,
    ) {}

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    public function errorCode(): ?string
    {
        return $this->error['code'] ?? null;
    }

    public function etag(): ?string
    {
        return $this->header('etag');
    }

    /** Seconds to wait before the same request is sent again. */
    public function retryAfter(): ?int
    {
        $asked = trim($this->header('retry-after') ?? '');
        if (ctype_digit($asked)) return (int) $asked;
        $at = $asked === '' ? false : strtotime($asked);
        return $at === false ? null : max(0, $at - time());
    }

    /** True where the same key had been answered before: this is the first reply once more. */
    public function isReplayed(): bool
    {
        return $this->header('idempotent-replayed') === 'true';
    }

    /** Of the next page of a walk, or null at its end. */
    public function nextCursor(): ?string
    {
        if (!preg_match('/<([^>]+)>;\s*rel="next"/', $this->header('link') ?? '', $found)) return null;
        parse_str((string) parse_url($found[1], PHP_URL_QUERY), $query);
        return $query['cursor'] ?? null;
    }

    /** @param list<string> $lines the status line and the headers */
    public static function read(array $lines, string $text): self
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('#^HTTP/\S+ (\d{3})#', $line, $found)) {
                $status = (int) $found[1];
                $headers = [];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $name = strtolower(trim($name));
                $headers[$name] = isset($headers[$name]) ? "{$headers[$name]}, " . trim($value) : trim($value);
            }
        }
        $isJson = preg_match('#^application/json\b#i', $headers['content-type'] ?? '') === 1;
        $json = $isJson ? json_decode($text, true, 64, JSON_BIGINT_AS_STRING) : null;
        if (is_array($json)) return new self($status, $headers, $json['data'] ?? null, $json['meta'] ?? [], $json['error'] ?? null);
        if ($status === 304) return new self($status, $headers, null, [], null);
        $error = ['code' => 'unreadable_reply', 'message' => self::described($headers, $text)];
        return new self($status, $headers, null, [], $error, isForeign: !$isJson, isTruncated: $isJson);
    }

    /** Names what was received instead of JSON, so that it is not taken for a fault of the API. */
    private static function described(array $headers, string $text): string
    {
        $what = [explode(';', $headers['content-type'] ?? 'no content type')[0]];
        if (preg_match('/<title>([^<]{1,100})/i', $text, $found)) $what[] = '"' . trim($found[1]) . '"';
        if (isset($headers['location'])) $what[] = "to {$headers['location']}";
        return "the reply is not the API's (" . implode(', ', $what) . '); it probably comes from a proxy in between, or the address is wrong';
    }
}

/** Nothing was answered; of a write it is not known whether it happened: send it again with the same Idempotency-Key. */
final class ConnectionFailed extends \RuntimeException {}

/** What the API refused. `errorCode` never changes; the message is for people. */
class ApiError extends \RuntimeException
{
    final public function __construct(public readonly Reply $reply)
    {
        $message = "{$reply->status} {$reply->errorCode()}: " . ($reply->error['message'] ?? '');
        parent::__construct($message . self::inBrackets($reply->error['details'] ?? []), $reply->status);
    }

    /** What is wrong with the first fields, so that a log shows it. */
    private static function inBrackets(array $details): string
    {
        $texts = [];
        foreach (array_slice($details, 0, 5) as ['field' => $field, 'message' => $message])
            $texts[] = str_contains($message, $field) ? $message : "$field: $message";
        return $texts === [] ? '' : ' (' . implode('; ', $texts) . (count($details) > 5 ? '; …)' : ')');
    }

    public static function of(Reply $reply): self
    {
        return match (true) {
            $reply->isForeign => new NotTheApi($reply),
            $reply->status === 401 => new Unauthorized($reply),
            in_array($reply->status, [402, 403], true) => new NotAllowed($reply),
            $reply->status === 404 => new NotFound($reply),
            in_array($reply->status, [409, 412], true) => new Conflict($reply),
            in_array($reply->status, [400, 413, 415, 422], true) => new InvalidRequest($reply),
            $reply->status === 429 => new TooManyRequests($reply),
            default => new self($reply),
        };
    }

    public function errorCode(): string
    {
        return $this->reply->errorCode() ?? '';
    }

    public function param(): ?string
    {
        return $this->reply->error['param'] ?? null;
    }

    /** @return list<array{field: string, code: string, message: string, suggestion?: string, record_id?: string}> */
    public function details(): array
    {
        return $this->reply->error['details'] ?? [];
    }

    /** The scope that the key lacks. */
    public function requiredScope(): ?string
    {
        return $this->reply->error['required_scope'] ?? null;
    }

    /** Seconds to wait before the same request is sent again. */
    public function retryAfter(): ?int
    {
        return $this->reply->retryAfter();
    }

    /** The page about this code: what it means and what to do. */
    public function docUrl(): ?string
    {
        return $this->reply->error['doc_url'] ?? null;
    }

    /** To be named when you ask for help. */
    public function requestId(): string
    {
        return $this->reply->meta['request_id'] ?? ($this->reply->header('x-request-id') ?? '');
    }
}

final class Unauthorized extends ApiError {}
final class NotAllowed extends ApiError {}
final class NotFound extends ApiError {}
final class Conflict extends ApiError {}
final class InvalidRequest extends ApiError {}
final class TooManyRequests extends ApiError {}
/** The reply is not the API's: a page of a proxy, of a login, of another server. */
final class NotTheApi extends ApiError {}

/** What a webhook received, checked as Standard Webhooks 1.0 says. */
final class Webhook
{
    /**
     * The event, or an exception: then answer 400.
     *
     * @param array<string, string> $headers of the request, names in any case
     * @param string|list<string> $secrets `whsec_…`; two while a secret is being changed
     */
    public static function verify(string $body, array $headers, #[\SensitiveParameter] string|array $secrets, int $toleranceSeconds = 300): array
    {
        $headers = array_change_key_case($headers);
        [$id, $timestamp, $given] = array_map(fn($name) => (string) ($headers["webhook-$name"] ?? ''), ['id', 'timestamp', 'signature']);
        if ($id === '' || !ctype_digit($timestamp)) throw new WebhookRefused('headers are missing');
        if (abs(time() - (int) $timestamp) > $toleranceSeconds) throw new WebhookRefused('the timestamp is too far from now');
        foreach ((array) $secrets as $secret) {
            $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
            // Anyone can sign with an empty key.
            if ($key === false || $key === '') throw new \InvalidArgumentException('a secret is whsec_ and base64');
            $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', $given) as $one)
                if (hash_equals("v1,$expected", $one)) return json_decode($body, true, 64, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
        }
        throw new WebhookRefused('no signature matches');
    }
}

final class WebhookRefused extends \RuntimeException {}

/** The log of an auction's or a lot's bids: each bid is chained to the one before it. */
final class BidChain
{
    /**
     * All bids of a lot, page by page, and the `chain_head` that belongs to the last of them: what `firstBroken` takes.
     *
     * @return array{id: string, bids: list<array<string, mixed>>, chainHead: string}
     */
    public static function ofLot(Client $client, string $lotId): array
    {
        $bids = [];
        $cursor = '0';
        do {
            $lot = $client->get("live-auctions/lots/$lotId", ['bids_cursor' => $cursor]);
            array_push($bids, ...$lot['bids']);
            $cursor = $lot['bids_cursor'];
        } while ($cursor !== null);
        return ['id' => $lotId, 'bids' => $bids, 'chainHead' => $lot['chain_head']];
    }

    /**
     * The number of the first bid that was slipped in, changed or dropped; null where the log is whole.
     *
     * @param string $id of the auction or lot
     * @param list<array<string, mixed>> $bids all of them, in whichever order
     * @param string|null $chainHead `chain_head`, read after the bids: with it, bids that are missing at the end are found too
     */
    public static function firstBroken(string $id, array $bids, ?string $chainHead = null): ?int
    {
        usort($bids, fn($one, $other) => $one['bid_seq'] <=> $other['bid_seq']);
        $link = hash('sha256', strtolower($id));
        foreach ($bids as $index => $bid) {
            $link = hash('sha256', implode("\n", [$link, $bid['bid_seq'], $bid['amount'], $bid['bidder_alias'], $bid['placed_at']]));
            if ($bid['bid_seq'] !== $index + 1 || $bid['chain'] !== $link) return $index + 1;
        }
        return $chainHead === null || $chainHead === $link ? null : count($bids) + 1;
    }
}
