<?php

require __DIR__ . '/verify.php';

$headers = array_change_key_case(getallheaders());
$isGenuine = is_genuine($headers, file_get_contents('php://input'), getenv('CLIENT_ID'), getenv('CLIENT_SECRET'));
http_response_code($isGenuine ? 204 : 401);
