// SPDX-License-Identifier: Apache-2.0
// What we use of Cryptoki, the C interface of PKCS#11 (OASIS "PKCS #11 Cryptographic Token Interface
// Base Specification" 2.40). Written from the specification, so that nothing has to be installed:
// modules come by dlopen. The order of the functions is that of section 5, and every module's.
#ifndef GATEHOUSE_CRYPTOKI_H
#define GATEHOUSE_CRYPTOKI_H

typedef unsigned long CK_ULONG;
typedef unsigned char CK_BBOOL;
// A function that is in the list and that we never call.
typedef void CK_UNUSED;

typedef struct {
    unsigned char major, minor;
} CK_VERSION;

// Section 5.4; CKF_OS_LOCKING_OK says that the module may use the locks of the system.
typedef struct {
    void *create_mutex, *destroy_mutex, *lock_mutex, *unlock_mutex;
    CK_ULONG flags;
    void *reserved;
} CK_C_INITIALIZE_ARGS;

// Section 3.2; texts are padded with blanks.
typedef struct {
    unsigned char label[32], manufacturer[32], model[16], serial_number[16];
    CK_ULONG flags;
    CK_ULONG max_sessions, sessions, max_writing_sessions, writing_sessions;
    CK_ULONG max_pin, min_pin;
    CK_ULONG public_memory, free_public_memory, private_memory, free_private_memory;
    CK_VERSION hardware, firmware;
    unsigned char time[16];
} CK_TOKEN_INFO;

typedef struct {
    CK_ULONG type;
    void *value;
    CK_ULONG length;
} CK_ATTRIBUTE;

typedef struct {
    CK_ULONG mechanism;
    void *parameter;
    CK_ULONG length;
} CK_MECHANISM;

// "PKCS #11 Current Mechanisms" 2.40, section 2.3.17.
typedef struct {
    CK_ULONG kdf;
    CK_ULONG shared_length;
    unsigned char *shared;
    CK_ULONG public_length;
    unsigned char *public_data;
} CK_ECDH1_DERIVE_PARAMS;

typedef struct {
    CK_VERSION version;
    CK_ULONG (*C_Initialize)(CK_C_INITIALIZE_ARGS *arguments);
    CK_UNUSED *C_Finalize, *C_GetInfo, *C_GetFunctionList;
    CK_ULONG (*C_GetSlotList)(CK_BBOOL present, CK_ULONG *slots, CK_ULONG *count);
    CK_UNUSED *C_GetSlotInfo;
    CK_ULONG (*C_GetTokenInfo)(CK_ULONG slot, CK_TOKEN_INFO *info);
    CK_UNUSED *C_GetMechanismList, *C_GetMechanismInfo, *C_InitToken, *C_InitPIN, *C_SetPIN;
    CK_ULONG (*C_OpenSession)(CK_ULONG slot, CK_ULONG flags, void *application, void *notify,
        CK_ULONG *session);
    CK_ULONG (*C_CloseSession)(CK_ULONG session);
    CK_UNUSED *C_CloseAllSessions, *C_GetSessionInfo, *C_GetOperationState, *C_SetOperationState;
    CK_ULONG (*C_Login)(CK_ULONG session, CK_ULONG user, const unsigned char *pin, CK_ULONG length);
    CK_ULONG (*C_Logout)(CK_ULONG session);
    CK_UNUSED *C_CreateObject, *C_CopyObject;
    CK_ULONG (*C_DestroyObject)(CK_ULONG session, CK_ULONG object);
    CK_UNUSED *C_GetObjectSize;
    CK_ULONG (*C_GetAttributeValue)(CK_ULONG session, CK_ULONG object, CK_ATTRIBUTE *attributes,
        CK_ULONG count);
    CK_UNUSED *C_SetAttributeValue;
    CK_ULONG (*C_FindObjectsInit)(CK_ULONG session, CK_ATTRIBUTE *attributes, CK_ULONG count);
    CK_ULONG (*C_FindObjects)(CK_ULONG session, CK_ULONG *objects, CK_ULONG most, CK_ULONG *count);
    CK_ULONG (*C_FindObjectsFinal)(CK_ULONG session);
    CK_UNUSED *C_EncryptInit, *C_Encrypt, *C_EncryptUpdate, *C_EncryptFinal, *C_DecryptInit,
        *C_Decrypt, *C_DecryptUpdate, *C_DecryptFinal, *C_DigestInit, *C_Digest,
        *C_DigestUpdate, *C_DigestKey, *C_DigestFinal;
    CK_ULONG (*C_SignInit)(CK_ULONG session, CK_MECHANISM *mechanism, CK_ULONG key);
    CK_ULONG (*C_Sign)(CK_ULONG session, const unsigned char *data, CK_ULONG length,
        unsigned char *signature, CK_ULONG *size);
    CK_UNUSED *C_SignUpdate, *C_SignFinal, *C_SignRecoverInit, *C_SignRecover, *C_VerifyInit,
        *C_Verify, *C_VerifyUpdate, *C_VerifyFinal, *C_VerifyRecoverInit, *C_VerifyRecover,
        *C_DigestEncryptUpdate, *C_DecryptDigestUpdate, *C_SignEncryptUpdate,
        *C_DecryptVerifyUpdate, *C_GenerateKey;
    CK_ULONG (*C_GenerateKeyPair)(CK_ULONG session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *open,
        CK_ULONG open_count, CK_ATTRIBUTE *secret, CK_ULONG secret_count, CK_ULONG *public_key,
        CK_ULONG *private_key);
    CK_UNUSED *C_WrapKey, *C_UnwrapKey;
    CK_ULONG (*C_DeriveKey)(CK_ULONG session, CK_MECHANISM *mechanism, CK_ULONG base,
        CK_ATTRIBUTE *attributes, CK_ULONG count, CK_ULONG *key);
    CK_UNUSED *C_SeedRandom, *C_GenerateRandom, *C_GetFunctionStatus, *C_CancelFunction,
        *C_WaitForSlotEvent;
} CK_FUNCTION_LIST;

typedef CK_ULONG (*CK_GET_FUNCTION_LIST)(CK_FUNCTION_LIST **list);

#endif
